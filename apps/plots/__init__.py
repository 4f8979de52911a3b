"""`dem plot`: results.py reads, drivers.py has panels by driver, pictures.py draws them, sweep.py draws sweeps."""
