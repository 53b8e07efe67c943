import { beforeAll, expect, test, vi } from "vitest";

vi.stubGlobal("window", { innerWidth: 1360, addEventListener: () => undefined, location: { hash: "" }, history: { state: null } });

let state: typeof import("../src/view/state");

beforeAll(async () => {
  state = await import("../src/view/state");
});

test("an address without words is the start", () => {
  expect(state.fromHash("")).toEqual(state.START);
  expect(state.toHash(state.START)).toBe("#map");
});

test("what a view is goes into the address and comes back", () => {
  const view = {
    ...state.START,
    tab: "changes",
    focus: "spark_catalog.db.a b&c=d?#.é</script>",
    up: 0,
    down: 7,
    direct: false,
    indirect: true,
    past: true,
    columns: false,
    jobs: true,
    spread: ["db.t", "s3://x/y"],
    bytes: true,
    at: Date.UTC(2026, 10, 20, 4),
    since: 7,
    table: true,
    selected: "a.x -> b.y",
    cards: { "db.t": "all", "db.u": "closed" } as const,
    filter: "needle",
  };
  expect(state.fromHash(state.toHash(view))).toEqual(view);
});

test("the map's group and mark are in the address of the map alone", () => {
  const view = { ...state.START, zoom: "sales", mark: "failed" };
  expect(state.fromHash(state.toHash(view))).toEqual(view);
  expect(state.toHash({ ...view, tab: "nights" })).toBe("#nights");
});

test("an address that somebody made up is read as far as it makes sense", () => {
  const view = state.fromHash("#nights?up=-3&down=1e9&at=never&since=x&view=%%%&indirect=2");
  expect(view).toMatchObject({ tab: "nights", up: 2, down: state.MOST_HOPS, at: null, since: 0, table: false, indirect: false });
});
