"""The modelled engine's steps at look-arounds and atomic groups."""

from evalbook.regex_safety.engine_model.nodes import FAILED, EngineRun, Entry, Node


class Enclosed(Node):
    """The entrance of a part that is left for good once it has matched."""

    __slots__ = ()

    weight = 20

    def enter(self, run: EngineRun, position: int) -> int:
        """Note where the part begins."""
        run.mark(position)
        run.push((Enclosed.resume,))
        run.node = self.next
        return position

    @staticmethod
    def resume(run: EngineRun, _entry: Entry) -> int:
        """Leave the part that did not match."""
        run.marks.pop()
        return FAILED


class EnclosedEnd(Node):
    """The exit of an atomic group, or of a positive look-around, which goes back to where it began."""

    __slots__ = ("goes_back",)

    def __init__(self, following: Node, *, goes_back: bool) -> None:
        super().__init__(following)
        self.goes_back = goes_back

    def enter(self, run: EngineRun, position: int) -> int:
        """Drop what could have been tried inside."""
        began, captures = run.drop_to_mark()
        run.push((EnclosedEnd.resume, captures))
        run.node = self.next
        return began if self.goes_back else position

    @staticmethod
    def resume(run: EngineRun, entry: Entry) -> int:
        """Put back what the groups had matched before the part."""
        run.captures = entry[1]
        return FAILED


class NegativeLook(Node):
    """The entrance of a negative look-around over `width` characters back; `after` follows it."""

    __slots__ = ("after", "width")

    weight = 20

    def __init__(self, body: Node, after: Node, width: int) -> None:
        super().__init__(body)
        self.after = after
        self.width = width
        self.refers = body.refers or after.refers

    def enter(self, run: EngineRun, position: int) -> int:
        """Try the body, or go on where it has no room."""
        if position < self.width:
            run.node = self.after
            return position
        run.mark(position)
        run.push((NegativeLook.resume, self.after, position))
        run.node = self.next
        return position - self.width

    @staticmethod
    def resume(run: EngineRun, entry: Entry) -> int:
        """Go on after the body, which did not match."""
        run.marks.pop()
        run.node = entry[1]
        return int(entry[2])


class NegativeLookEnd(Node):
    """The exit of a negative look-around whose body has matched."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(None)

    def enter(self, run: EngineRun, _position: int) -> int:
        """Fail, and drop what could have been tried inside."""
        _, run.captures = run.drop_to_mark()
        return FAILED


class StepBack(Node):
    """Goes back as many characters as a look-behind is wide."""

    __slots__ = ("width",)

    def __init__(self, width: int, following: Node) -> None:
        super().__init__(following)
        self.width = width

    def enter(self, run: EngineRun, position: int) -> int:
        """Go back, if there is room."""
        if position < self.width:
            return FAILED
        run.node = self.next
        return position - self.width
