"""Parts of `dem plot`: results.py reads, drivers.py lists panels by driver, pictures.py draws them, sweep.py draws sweeps."""
