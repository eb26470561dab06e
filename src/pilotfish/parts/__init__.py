"""The rooms behind `app.py`: what the app is put together from and what a person does to it besides running it."""
