const SHAPES: Record<string, string> = {
  table: "M2 3h12v10H2zM2 6.5h12M6.5 6.5V13",
  view: "M1.5 8s2.5-4 6.5-4 6.5 4 6.5 4-2.5 4-6.5 4S1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z",
  temp_view: "M1.5 8s2.5-4 6.5-4 6.5 4 6.5 4-2.5 4-6.5 4S1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z",
  path: "M2 4h4l1.5 2H14v7H2z",
  topic: "M2 5h9M2 8h12M2 11h7",
  stream: "M2 5h9M2 8h12M2 11h7",
  groups: "M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z",
  exposure: "M2 3h12v9H2zM5 10V8M8 10V5M11 10V7M6 14h4",
  job: "M5 3.5l7 4.5-7 4.5z",
  jdbc: "M3 4c0-1 2-1.6 5-1.6s5 .6 5 1.6-2 1.6-5 1.6S3 5 3 4zM3 4v8c0 1 2 1.6 5 1.6s5-.6 5-1.6V4M3 8c0 1 2 1.6 5 1.6S13 9 13 8",
};

export function KindIcon({ kind }: { kind: string }) {
  return (
    <svg className="kind-icon" viewBox="0 0 16 16" width="16" height="16" role="img" aria-label={kind}>
      <title>{kind}</title>
      <path d={SHAPES[kind] ?? "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z"} fill="none" stroke="currentColor" strokeWidth="1.3" />
    </svg>
  );
}
