"""Has nothing to do with torch."""
print("hello")
