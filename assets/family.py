"""What a benchmark family gives: its section, its tables, and pure functions; the core makes everything else of it.

Its functions are named `module:function` and loaded when they run, so that a step's code is its own function's, and
reading a family's declaration is quick.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel

from assets.answers import giving
from assets.core.tables import FamilyTables, family_tables
from assets.named import Named
from assets.step import Raw, Requirement, Step
from schemas.rejection import Reason
from schemas.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from schemas.recipe import City


@dataclass(frozen=True)
class Choice:
    """A decision of ours where the publication is silent, declared in every release's manifest."""

    choice_id: str
    text: str


@dataclass(frozen=True)
class Series:
    """A run of slots that are numbered together: `name` is part of their ids, `about` what the family knows of them."""

    name: str
    count: int
    level: str = ""
    about: Mapping[str, Any] = field(default_factory=dict, compare=False)
    greedy_at_most: float = 1.0
    """Share of the tasks that the greedy planner may pass; the other slots draw until it fails."""


@dataclass(frozen=True)
class Slot:
    """Where one task stands. `area` is its city, or what the recipe's cities have in common; `seed` the recipe's."""

    task_id: str
    number: int
    area: str
    series: Series
    seed: int

    @property
    def level(self) -> str:
        """Return the difficulty asked for; empty where the family has none."""
        return self.series.level


@dataclass(frozen=True)
class Drawn:
    """A slot's draw: the record, where it leads (`city_id`, several joined by `+`), and how it was drawn."""

    record: dict[str, Any]
    city_id: str
    drawn: dict[str, Any] = field(default_factory=dict)
    repairs: Sequence[Mapping[str, str]] = ()
    generation_ids: Sequence[str] = ()


@dataclass(frozen=True)
class Refused:
    """Why a draw is no task: a reason of the closed list, what stands in the way (`kind`), and what was found.

    `is_final` says that drawing again cannot help; `is_unsolved`, that there was a record and no plan for it.
    """

    detail: str
    kind: str = "unsatisfiable"
    reason: Reason = Reason.UNSATISFIABLE
    is_final: bool = False
    is_unsolved: bool = False


@dataclass(frozen=True)
class Solved:
    """A plan in the family's native form, and what is said of it beside (`proof`)."""

    plan: Any
    proof: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Worded:
    """A record in words: the query, the opening messages of a conversation, and the model calls behind them.

    A message is {role, content}: who says it, and what is said. `read` is given both; an export holds both.
    """

    query: str
    messages: Sequence[Mapping[str, str]] = ()
    generation_ids: Sequence[str] = ()


@dataclass(frozen=True)
class Violation:
    """One break of a named check, in words."""

    check: str
    text: str


@dataclass(frozen=True)
class Origin:
    """Where one value comes from: see `schemas.task.LineageEdge`. `cells` are (table, row's key, column)."""

    field: str
    kind: Literal["cells", "choice", "words"]
    by: str
    cells: Sequence[tuple[str, str, str]] = ()
    generation_ids: Sequence[str] = ()


@dataclass(frozen=True)
class TaskView:
    """One task as those who trace, judge and show it see it."""

    task_id: str
    city_id: str
    slot: int
    level: str
    query: str
    messages: list[dict[str, str]]
    record: dict[str, Any]
    drawn: dict[str, Any]
    repairs: list[dict[str, str]]
    generation_ids: list[str]
    plan: Any
    proof: dict[str, Any]


@dataclass(frozen=True)
class Opened:
    """A published folder as tables: its `files` by path, as they were found, its `tasks`, other `rows` by table.

    `unknown` names, by table, the columns that the folder does not fill, which are null; what else a row lacks puts it
    among `rejected` (step, row, reason, detail). `gold` are the plans that the folder holds for its tasks, by id;
    `notes` what could not be read as its form says.
    """

    files: Mapping[str, bytes]
    tasks: Sequence[Mapping[str, Any]]
    rows: Mapping[type[Table], Sequence[Mapping[str, Any]]]
    cities: Sequence[Mapping[str, Any]]
    unknown: Mapping[type[Table], tuple[str, ...]] = field(default_factory=dict)
    section: Mapping[str, Any] = field(default_factory=dict)
    rejected: Sequence[Mapping[str, str]] = ()
    gold: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class CityPicture:
    """What a release's map of one city shows: `points` (kind, lat, lon) and one witness `tour` (name, lat, lon)."""

    points: pd.DataFrame
    tour: pd.DataFrame


@dataclass(frozen=True)
class Metric:
    """One figure of the published scores: what it says, in which unit, and which way is good."""

    says: str
    unit: Literal["%", "0 to 1", "points", "places a day"]
    better: Literal["higher", "lower", "neither"]
    of: Literal["plan", "conversation"] = "plan"
    """What it is read from; a release's own plans, and the greedy planner's, come with no conversation."""


@dataclass(frozen=True)
class Family:
    """One benchmark. Functions are named; what each takes and returns stands beside it.

    A `world` is whatever the family makes of the rows that a plan may use: of one city's where slots are the city's
    (`per`), else of the recipe's. `check` and everything that it imports must import nothing that solves.
    """

    name: str
    title: str
    section: type[BaseModel]
    per: Literal["city", "recipe"]
    record: Any
    """The TypedDict of what a task asks."""
    drawn: Any
    """The TypedDict of how a record was drawn."""
    plan: Any
    """The type of a plan in native form."""
    proof: Any
    """The TypedDict of what is said of a witness beside its plan."""
    world_tables: tuple[type[Table], ...]
    """What a plan may use: the inputs of every step that the core makes, and part of every release."""
    checks: tuple[str, ...]
    """The names of the checks that a witness must pass."""
    rules: dict[str, str]
    """Every rule by which a value may be chosen or worded, and what it does."""

    slots: Named
    """(section) → [Series]"""
    world: Named
    """(ReleaseTables) → world. Imports nothing that solves."""
    draft: Named
    """(slot, attempt, drafting, taken) → Drawn | Refused; `taken` are the records that other slots have."""
    solve: Named
    """(task_id, record, world, section) → Solved | Refused"""
    check: Named
    """(record, plan, world) → [Violation]; a plan is any JSON value."""
    word: Named
    """(task_id, record, world, seed) → Worded, by rules"""
    read: Named
    """(Worded, record, world) → [str]: what the words say otherwise than the record"""
    trace: Named
    """(TaskView, world) → iterable of Origin"""
    uses: Named
    """(TaskView, world) → {(table, row's key)}: the rows that the task's plan and record name. Imports no solver."""
    score: Named
    """(ReleaseTables, [{task_id, plan}], variant) → {aggregate, plans: [{task_id, passes, …}]}, a row for each plan;
    a `RunSetting` may say where else the rows are, and what of them says that a task is solved (`assets/runs`)."""
    export: Named
    """(ReleaseTables) → {relative path: bytes or pieces of them}"""
    measures: Named
    """(ReleaseTables, facts by step) → {name: figure or rows}"""

    world_steps: tuple[Step, ...] = ()
    """Steps that make tables of the family's own."""
    context: tuple[type[Table], ...] = ()
    """Further tables that a release holds."""
    prepare: Named | None = None
    """(world, section, [Slot]) → drafting: what drafting needs of the whole set; the world itself if None."""
    identity: Named | None = None
    """(record) → what tells records apart; the whole record if None."""
    drawn_from: Named | None = None
    """(slot, task's `drawn`, world, section) → {pointer: value} of the record that its repairs changed, and the words
    of a published task or None; None where nothing is repaired. ValueError where the slot drew none such."""
    drawn_again: Named | None = None
    """(slot, record, task's `drawn`, drafting) → {name: value}: what `drawn` must say, told again by the slot's own
    random numbers. ValueError where the slot draws no such record. An audit asks it."""
    draft_by_model: Named | None = None
    """({Slot: Drawn}, world, section, ask) → {Slot: Drawn | Refused}: records completed by a model that is asked."""
    language: str | None = None
    """The language that `word` writes, as a BCP 47 tag, where no key `language` of the section says it; not said if
    None."""
    word_by_model: Named | None = None
    """(rows of drafts, world, section, seed, ask) → {task_id: Worded | Refused}"""
    depends: Named | None = None
    """(task_id, record, world or `part`, section) → what a witness rests on, as JSON; else plans are always sought."""
    part: Named | None = None
    """(record, world) → the part of a world that solving and checking one record need; the world if None."""
    verify: Named | None = None
    """(record, plan, proof, world) → [Violation] of what is said of the witness beside its plan"""
    prove: Named | None = None
    """(record, plan, proof, world) → proof, completed by what the checker's side measures"""
    contexts: Named | None = None
    """([TaskView] of certified tasks without plans, ReleaseTables of its world) → rows of `context_table`: what
    planners are given can hold no witness."""
    context_table: type[Table] | None = None
    attempts: int = 1
    """Draws that a slot may make."""
    most_unsolved: int | None = None
    """Draws without a plan after which a slot is given up."""
    unjudged: tuple[str, ...] = ()
    """Fields of the record that no check judges: what is only said, such as a name or a level."""
    unread: tuple[str, ...] = ()
    """Further fields that `read` does not look for in the words: what planners are given beside them, such as an id."""
    believed: tuple[str, ...] = ()
    """Parts of a certificate that the checking side does not compute again, such as a solver's bound: audits say so."""
    wishes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """By field of the record (`lunch/cuisine` where it stands in another), what it may ask: with these a checker is
    tried, beside what other tasks ask."""
    derivations: Mapping[str, Named] = field(default_factory=dict)
    """Named pure functions of cells' values, beside `equal`: (values) → value"""
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    """What each figure of `score`'s aggregate says; what is not named here is a count."""
    published_check: Named | None = None
    """({path: bytes} as exported) → {task_id: {check: holds}}: the published checker on every witness"""
    must_accept: tuple[str, ...] | None = ()
    """Published checks that every witness must pass: these, or all if None."""
    baselines: Mapping[str, Named] = field(default_factory=dict)
    """Planners that do not solve: (ReleaseTables) → [{task_id, plan}]; `greedy` is the one named `baseline`."""
    planners: Mapping[str, Named] = field(default_factory=dict)
    """The same for one task, by which a release measures how hard it is: `random`, `greedy`, and `repair`, the greedy
    one that takes back what failed: (task_id, record, world) → plan. They import nothing that solves."""
    passes: Named | None = None
    """(record, plan, world) → whether the plan meets all that the published metrics ask"""
    harden: Named | None = None
    """(slot, attempt, Drawn, plan, world) → Drawn like it that asks more than the plan gives, or Refused"""
    upstream: Named | None = None
    """({path: file} as exported) → {path: file} in the published repository's own tree, with a README"""
    lacking: Named | None = None
    """(ReleaseTables, facts by step and city) → {city_id: [sentence]}: what each city lacks, and what to add"""
    feasible: Named | None = None
    """(ReleaseTables with one city's world tables, section) → [{what, value, records, satisfiable, share}]: what may be
    asked of the city before anything is drafted; of a family whose slots are the city's"""
    map_of: Named | None = None
    """(ReleaseTables, city_id) → CityPicture"""
    page: Named | None = None
    """(ReleaseTables, measures) → FamilyPage (`schemas.page`); without it, tasks by their ids"""
    tools: Named | None = None
    """(ReleaseTables) → [Tool] (`assets.core.tools`); it is given no tasks, certificates or lineage"""
    open: Named | None = None
    """(path of a folder as published) → Opened. Raises SourceError naming each file that is missing or damaged."""
    mend: Named | None = None
    """(ReleaseTables of an opened folder) → (section, {source: {role: file of the folder}}): the recipe that rebuilds
    its tasks, each kept where it can be solved and mended where not"""
    first_recipe: Named | None = None
    """How it stands in a recipe that `init` writes of open files (`assets.first_recipe.FirstRecipe`); else by hand"""
    names: Named | None = None
    """(plan) → the names of the places that it names, as it writes them; a plan is any JSON value."""
    inspect: Mapping[str, Named] = field(default_factory=dict)
    """By the benchmark's name: (path of a published folder) → {defect's id: {title, name of a figure: figure, …}}"""
    plan_text: Named | None = None
    """The grammar of the family's plans in text (`assets.language.plan_texts.PlanText`)."""
    query_files: tuple[Raw, ...] = ()
    """Files of published queries that new ones are held against, beside those of the source `published_queries`."""
    asked: Named | None = None
    """(record) → the checks that ask something of it; all if None."""
    takes_embedding: bool = False
    job: Literal["", "preferences"] = ""
    """What a model may be asked for before records are worded."""
    arrow: tuple[type[Table], ...] = ()
    """World tables that are read as Arrow keeps them."""
    variants: tuple[str, ...] = ("ours", "paper", "released")
    choices: tuple[Choice, ...] = ()
    requirements: tuple[Requirement, ...] = ()

    @cached_property
    def tables(self) -> FamilyTables:
        """Return the tables that the core makes for the family."""
        return family_tables(self.name, self.title, self.record, self.drawn, self.plan, self.proof)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Return the family's own steps, and those that the core makes of its functions."""
        from assets.core.family_steps import family_steps

        return (*(replace(step, family=self.name) for step in self.world_steps), *family_steps(self))

    @property
    def released(self) -> tuple[type[Table], ...]:
        """Return every table of a release, apart from those that all releases have."""
        tables = self.tables
        task_tables = (tables.task, tables.certificate, tables.lineage, tables.nearest)
        contexts = (self.context_table,) if self.context_table else ()
        return tuple(dict.fromkeys((*task_tables, *self.world_tables, *contexts, *self.context)))

    def file_of(self, table: type[Table]) -> str:
        """Return the name of a table's released file, without suffix: the same for every family's tasks."""
        tables = self.tables
        stem_by_table = {tables.task: "tasks", tables.certificate: "certificates", tables.lineage: "lineage"}
        return stem_by_table.get(table, "nearest_query" if table is tables.nearest else table.table_name())

    def asks_of(self, city: City) -> bool:
        """Return whether its releases are of a city: of one that nobody visits where its tasks are not of one each."""
        return city.is_visited or self.per != "city"

    def call(self, function: str, *arguments: Any, **options: Any) -> Any:
        """Return what one of the family's functions, by its field's name, gives; FamilyError if of a wrong type."""
        return giving(function, getattr(self, function))(*arguments, **options)
