"""How good is a ranked list? Metrics, their work shown, and the exercises of a hands-on course.

`import rankedu` needs numpy alone; matplotlib and ipywidgets load when a picture or a widget is made.
"""

__version__ = "0.1.0"
