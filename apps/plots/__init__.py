"""What `dem plot` draws: results.py reads, drivers.py says which panels a driver has, pictures.py draws them, sweep.py draws sweeps."""
