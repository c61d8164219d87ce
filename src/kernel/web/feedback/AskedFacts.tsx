import type { Fact } from '../kit/fact.ts';
import { NOTHING } from '../kit/values.tsx';

/** What a question is about, below its sentence. */
export function AskedFacts({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className="kq-asked">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? NOTHING}</dd>
        </div>
      ))}
    </dl>
  );
}
