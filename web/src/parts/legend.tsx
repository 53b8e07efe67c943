const LINES: [string, string, string][] = [
  ["line", "", "The value is made of it (DIRECT)"],
  ["line", "7 5", "It filters, joins, orders or chooses (INDIRECT)"],
  ["line", "2 6", "A dataset goes into another; no column says how"],
  ["line masked", "", "Hashed or masked on every way ◆"],
  ["line", "1.5 4", "Inferred: recovered by place or name (≈)"],
  ["line opaque", "", "Opaque: a function over whole rows (?)"],
  ["line added", "", "Added in the marked time (+)"],
  ["line removed", "3 3", "Removed in the marked time (−)"],
];

export function Legend() {
  return (
    <ul className="legend">
      {LINES.map(([name, dash, what]) => (
        <li key={what}>
          <svg width="36" height="10" aria-hidden="true">
            <path className={name} d="M1,5H35" strokeDasharray={dash || undefined} />
          </svg>
          {what}
        </li>
      ))}
      <li>
        <span className="ends">2/5</span> 2 of a column's 5 lines are drawn: left of its name those into it, right those out of it
      </li>
    </ul>
  );
}
