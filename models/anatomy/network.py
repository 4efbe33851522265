"""The network that outlines anatomy: a small U-shaped convolutional network (Ronneberger et al., MICCAI 2015).

Skip connections are added after a 1 x 1 convolution, as in a feature pyramid (Lin et al., CVPR 2017), which costs less
than joining them.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from models.anatomy.structures import STRUCTURES

INPUT_SIDE = 192  # pixels per side of the square input; outlines have half as many cells
WIDTHS = (24, 48, 96, 128, 160)


class OutlineNetwork(nn.Module):
    """Gives the log odds that each of STRUCTURES covers each cell of a film."""

    def __init__(self) -> None:
        super().__init__()
        ends = tuple(zip((1, *WIDTHS), WIDTHS, strict=False))
        self.down = nn.ModuleList(
            nn.Sequential(_block(start, end, stride=2), _block(end, end, stride=1)) for start, end in ends
        )
        finer_first = tuple(zip(WIDTHS, WIDTHS[1:], strict=False))
        self.coarse = nn.ModuleList(nn.Conv2d(wide, narrow, 1, bias=False) for narrow, wide in finer_first)
        self.skip = nn.ModuleList(nn.Conv2d(narrow, narrow, 1, bias=False) for narrow, _ in finer_first)
        self.up = nn.ModuleList(
            nn.Sequential(nn.BatchNorm2d(narrow), _block(narrow, narrow, 1)) for narrow, _ in finer_first
        )
        self.last = nn.Conv2d(WIDTHS[0], len(STRUCTURES), 1)

    def forward(self, films: Tensor) -> Tensor:
        """Return log odds (n, structures, INPUT_SIDE / 2, INPUT_SIDE / 2) for films (n, 1, INPUT_SIDE, INPUT_SIDE)."""
        maps = [standardize(films)]
        for down in self.down:
            maps.append(down(maps[-1]))
        found = maps.pop()
        for place in reversed(range(len(self.up))):
            coarse = self.coarse[place](found)
            finer = self.skip[place](maps[place + 1])
            raised = functional.interpolate(coarse, finer.shape[-2:], mode="bilinear", align_corners=False)
            found = self.up[place](raised + finer)
        odds: Tensor = self.last(found)
        return odds


def standardize(films: Tensor) -> Tensor:
    """Scale films (n, 1, h, w) to mean 0 and standard deviation 1 each."""
    mean = films.mean((1, 2, 3), keepdim=True)
    return (films - mean) / (films.std((1, 2, 3), keepdim=True, correction=0) + 1e-3)


def _block(start: int, end: int, stride: int) -> nn.Sequential:
    convolution = nn.Conv2d(start, end, 3, stride, padding=1, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(end), nn.ReLU(inplace=True))
