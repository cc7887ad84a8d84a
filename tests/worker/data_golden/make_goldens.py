"""Makes the goldens of `data_check pixels-equal-pillow`: small JPEGs, and what Pillow makes of a
crop of each. Needs pillow (made with 13.0.0) and numpy; run it in this folder."""

import numpy
from PIL import Image

SIZE = 40
rng = numpy.random.default_rng(3)


def picture(width, height):
    coarse = Image.fromarray(rng.integers(0, 256, (9, 9, 3), dtype=numpy.uint8))
    smooth = numpy.asarray(coarse.resize((width, height), Image.Resampling.BICUBIC), dtype=float)
    grain = rng.normal(0, 6, (height, width, 1))
    return Image.fromarray(numpy.clip(smooth + grain, 0, 255).astype(numpy.uint8))


def save(name, image, box, **options):
    image.save(f"{name}.jpg", "JPEG", quality=85, **options)
    x, y, width, height = box
    crop = Image.open(f"{name}.jpg").convert("RGB").crop((x, y, x + width, y + height))
    resized = crop.resize((SIZE, SIZE), Image.Resampling.BILINEAR)
    with open(f"{name}.rgb", "wb") as out:
        out.write(resized.tobytes())
    lines.append(f"{name} {x} {y} {width} {height} {SIZE}\n")


lines = []
save("colour-420", picture(151, 113), (33, 17, 101, 77), subsampling=2)
save("colour-422", picture(120, 90), (16, 8, 80, 80), subsampling=1)
save("colour-444", picture(97, 140), (0, 31, 97, 90), subsampling=0)
save("enlarged", picture(80, 60), (48, 32, 21, 27), subsampling=2)
save("grey", picture(110, 100).convert("L"), (5, 6, 70, 60))
save("progressive", picture(130, 98), (40, 20, 64, 70), subsampling=2, progressive=True)
save("cmyk", picture(100, 90).convert("CMYK"), (10, 11, 75, 66))
with open("goldens.txt", "w") as out:
    out.writelines(lines)
