"""The ten tools' names, parameters and limits as published (3.D), described in two languages, our words."""

from __future__ import annotations

from typing import Any

from assets.core.tools import nullable, schema
from assets.grouptravel.vocabulary import Language

Text = dict[Language, str]

DATE, TIME = r"^\d{4}-\d{2}-\d{2}$", r"^([01]\d|2[0-3]):[0-5]\d$"
NOT_BLANK = r"\S"

DEFAULT_RADIUS_KM = 5.0
MAX_PAGE_SIZE = 20
MAX_ROUTE_RANGE_M = 3000
MAX_ALONG = 50
MAX_DAYS_AHEAD = 4

ROUTE_MODES = ("transit", "driving", "walking", "bicycling")
POI_ORDERS = ("relevance", "distance", "rating", "price_low", "price_high")
FLIGHT_ORDERS = ("depart_time", "price", "duration")
TRAIN_ORDERS = ("depart_time", "depart_time_desc", "duration", "price")
TRAIN_TYPES = ("high_speed", "high_speed_and_emu", "regular")

DESCRIPTIONS: dict[str, Text] = {
    "search_poi": {
        "en": "Find places to see, eat or sleep in a city by what they are or are called.",
        "zh": "按名称或类别在城市里找景点、餐厅和酒店。",
    },
    "get_poi_detail": {
        "en": "Everything known of one place, such as its opening hours, by the id that a search gave.",
        "zh": "按搜索得到的 ID 查看一个地点的全部信息，例如营业时间。",
    },
    "maps_geo": {"en": "Where a named place or city is.", "zh": "把地名或城市名解析为坐标。"},
    "maps_weather": {
        "en": "The weather of a city on a date and up to four days after it.",
        "zh": "城市在某日及其后最多四天的天气。",
    },
    "plan_route": {"en": "The way from one point to another by one mode.", "zh": "两点之间按一种方式的路线。"},
    "compare_routes": {"en": "The ways between two points by every mode.", "zh": "比较两点之间各种方式的路线。"},
    "search_along_route": {"en": "Find places near the way between two points.", "zh": "在两点之间的路线附近找地点。"},
    "travel_search_flights": {"en": "Flights between two cities on a date.", "zh": "某日两座城市之间的航班。"},
    "travel_search_trains": {"en": "Trains between two cities on a date.", "zh": "某日两座城市之间的火车。"},
    "web_search": {
        "en": "Search everything that this release says of its cities, sights and connections.",
        "zh": "在本数据集关于城市、景点和交通的全部内容中搜索。",
    },
}

PARAMETERS: dict[str, Text] = {
    "keywords": {"en": "What to look for: a kind or a name.", "zh": "要找的类别或名称。"},
    "city": {"en": "Name of the city.", "zh": "城市名。"},
    "region": {"en": "District of the city.", "zh": "城市的区县。"},
    "location": {
        "en": "Middle of the search: `lon,lat` or a place's name.",
        "zh": "搜索中心：“经度,纬度”或地名。",
    },
    "radius_km": {"en": "Radius of the search, km; 5 if not given.", "zh": "搜索半径（公里），默认 5。"},
    "price_min": {"en": "Lowest price for one person.", "zh": "人均最低价格。"},
    "price_max": {"en": "Highest price for one person.", "zh": "人均最高价格。"},
    "sort_by": {"en": "Order of the results.", "zh": "结果的排序。"},
    "page": {"en": "Page of the results, from 1.", "zh": "页码，从 1 开始。"},
    "page_size": {"en": "Results on a page, at most 20.", "zh": "每页条数，最多 20。"},
    "id": {"en": "Id of a place, from a search.", "zh": "搜索得到的地点 ID。"},
    "address": {"en": "Name of a place or city.", "zh": "地名或城市名。"},
    "in_city": {"en": "City to look in; all of them if not given.", "zh": "在哪座城市里找；不填则找全部城市。"},
    "weather_city": {"en": "Name of the city.", "zh": "城市名。"},
    "date": {"en": "Date, YYYY-MM-DD.", "zh": "日期，YYYY-MM-DD。"},
    "days": {"en": "Days after the date, 0 to 4.", "zh": "其后的天数，0 到 4。"},
    "origin": {"en": "Start: `lon,lat` or the name of a place.", "zh": "起点：“经度,纬度”或地名。"},
    "destination": {"en": "End: `lon,lat` or the name of a place.", "zh": "终点：“经度,纬度”或地名。"},
    "mode": {"en": "Way of travelling.", "zh": "出行方式。"},
    "route_city": {"en": "City of the points; needed for transit.", "zh": "两点所在的城市；公交必填。"},
    "time": {"en": "Time of departure, HH:MM.", "zh": "出发时间，HH:MM。"},
    "route_range": {"en": "How far from the way, metres, at most 3000.", "zh": "离路线多远（米），最多 3000。"},
    "route_index": {"en": "Which of several ways, from 1.", "zh": "第几条路线，从 1 开始。"},
    "poi_limit": {"en": "Most results, at most 50.", "zh": "结果数上限，最多 50。"},
    "from_city": {"en": "City of departure.", "zh": "出发城市。"},
    "to_city": {"en": "City of arrival.", "zh": "到达城市。"},
    "depart_time_start": {"en": "Earliest departure, HH:MM.", "zh": "最早出发时间，HH:MM。"},
    "depart_time_end": {"en": "Latest departure, HH:MM.", "zh": "最晚出发时间，HH:MM。"},
    "airport": {"en": "Word in the name of an airport.", "zh": "机场名称里的词。"},
    "train_type_filter": {"en": "Kind of train.", "zh": "列车种类。"},
    "query": {"en": "What to search for.", "zh": "搜索词。"},
}


def parameters(language: Language) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each tool's arguments, by the tool's name, described in the language."""
    descriptions = {name: text[language] for name, text in PARAMETERS.items()}

    def text(name: str, **rule: Any) -> dict[str, Any]:
        return {"type": "string", "pattern": NOT_BLANK, "title": "not empty", "description": descriptions[name]} | rule

    def optional(name: str, **rule: Any) -> dict[str, Any]:
        return nullable({"type": "string"} | rule, descriptions[name])

    def number(name: str, **rule: Any) -> dict[str, Any]:
        return nullable({"type": "number"} | rule, descriptions[name])

    def integer(name: str, default: int, least: int, **rule: Any) -> dict[str, Any]:
        return {"type": "integer", "minimum": least, "default": default, "description": descriptions[name]} | rule

    date = {"pattern": DATE, "title": "YYYY-MM-DD"}
    time = {"pattern": TIME, "title": "HH:MM"}
    ends = {"origin": text("origin"), "destination": text("destination")}
    journey = {
        "origin": text("from_city"),
        "destination": text("to_city"),
        "date": text("date", **date),
        "depart_time_start": optional("depart_time_start", **time),
        "depart_time_end": optional("depart_time_end", **time),
    }
    return {
        "search_poi": schema(
            ("keywords", "city"),
            {
                "keywords": text("keywords"),
                "city": text("city"),
                "region": optional("region"),
                "location": optional("location", pattern=NOT_BLANK, title="not empty"),
                "radius_km": number("radius_km", exclusiveMinimum=0),
                "price_min": number("price_min", minimum=0),
                "price_max": number("price_max", minimum=0),
                "sort_by": optional("sort_by", enum=list(POI_ORDERS)),
                "page": integer("page", 1, 1),
                "page_size": integer("page_size", 10, 1, maximum=MAX_PAGE_SIZE),
            },
        ),
        "get_poi_detail": schema(("id",), {"id": text("id")}),
        "maps_geo": schema(("address",), {"address": text("address"), "city": optional("in_city")}),
        "maps_weather": schema(
            ("location", "date"),
            {
                "location": text("weather_city"),
                "date": text("date", **date),
                "days": integer("days", 0, 0, maximum=MAX_DAYS_AHEAD),
            },
        ),
        "plan_route": schema(
            ("origin", "destination"),
            ends
            | {
                "mode": text("mode", enum=list(ROUTE_MODES), default="transit"),
                "city": optional("route_city"),
                "date": optional("date", **date),
                "time": optional("time", **time),
            },
        ),
        "compare_routes": schema(("origin", "destination"), ends | {"city": optional("route_city")}),
        "search_along_route": schema(
            ("origin", "destination", "keywords"),
            ends
            | {
                "keywords": text("keywords"),
                "mode": text("mode", enum=list(ROUTE_MODES[1:]), default="driving"),
                "city": optional("route_city"),
                "route_range": integer("route_range", 500, 1, maximum=MAX_ROUTE_RANGE_M),
                "route_index": integer("route_index", 1, 1),
                "poi_limit": integer("poi_limit", 20, 1, maximum=MAX_ALONG),
            },
        ),
        "travel_search_flights": schema(
            ("origin", "destination", "date"),
            journey | {"sort_by": optional("sort_by", enum=list(FLIGHT_ORDERS)), "airport": optional("airport")},
        ),
        "travel_search_trains": schema(
            ("origin", "destination", "date"),
            journey
            | {
                "sort_by": optional("sort_by", enum=list(TRAIN_ORDERS)),
                "train_type_filter": optional("train_type_filter", enum=list(TRAIN_TYPES)),
            },
        ),
        "web_search": schema(("query",), {"query": text("query")}),
    }
