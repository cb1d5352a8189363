"""The widgets of the course: sliders that reorder a list while its score, and the reason for it, follow.

Everything shown is a text or a picture made in the kernel and put into a widget's value; nothing prints.
The numbers come from `rankedu.explain`, the pictures from `rankedu.pictures`.
"""

from ._disagreement import Disagreement
from ._explorer import MetricExplorer
from ._shares import Shares
from ._sliders import RankingSliders

__all__ = ["Disagreement", "MetricExplorer", "RankingSliders", "Shares"]
