import type { ReactNode } from "react";
import { visible } from "../data/text";

export function Part({ title, children, open = true }: { title: string; children: ReactNode; open?: boolean }) {
  return (
    <details className="part" open={open}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

export function Pair({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{visible(value)}</bdi>
      </dd>
    </div>
  );
}

export function Code({ children }: { children: string }) {
  return <code className="expression">{children ? visible(children) : "—"}</code>;
}
