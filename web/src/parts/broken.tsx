export function Broken({ message }: { message: string }) {
  return (
    <main className="broken" role="alert">
      <h1>The page cannot be shown</h1>
      <p>{message}</p>
      <p>
        Write it again with <code>eventlog-lineage report</code>.
      </p>
    </main>
  );
}
