import { yuan } from '#kernel/contract/money.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { configLabels, type ServiceConfigContent } from '../../contract/calls/config.ts';

interface Line {
  path: string;
  label: string;
  before: unknown;
  after: unknown;
}

const KEYS = Object.keys(configLabels) as (keyof ServiceConfigContent)[];

/** What differs between two versions. */
export const linesOf = (before: ServiceConfigContent | null, after: ServiceConfigContent): Line[] =>
  KEYS.filter((key) => JSON.stringify(before?.[key]) !== JSON.stringify(after[key])).map((key) => ({
    path: key,
    label: configLabels[key],
    before: before?.[key],
    after: after[key],
  }));

/** A value of the configuration for people. */
function show(path: string, value: unknown, nameOf: (fileId: string) => string): string {
  if (value === null || value === undefined) return NOTHING;
  if (path === 'refundAutoFen' && typeof value === 'number') return `¥${yuan(value)}`;
  if (path === 'agreementFileId' && typeof value === 'string') return nameOf(value);
  if (Array.isArray(value)) return value.length === 0 ? '无' : value.join('、');
  if (typeof value === 'object' && 'from' in value && 'to' in value) return `${String(value.from)}–${String(value.to)}`;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : NOTHING;
}

/** Two versions beside each other, only what differs. */
export function DiffTable({
  lines,
  heads,
  nameOf,
}: {
  lines: readonly Line[];
  heads: readonly [string, string];
  nameOf(fileId: string): string;
}) {
  if (lines.length === 0) return <p className="kq-muted">两个版本内容相同</p>;
  return (
    <table className="ds-diff">
      <thead>
        <tr>
          <th>项目</th>
          <th>{heads[0]}</th>
          <th>{heads[1]}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ path, label, before, after }) => (
          <tr key={path}>
            <td>{label}</td>
            <td>{show(path, before, nameOf)}</td>
            <td>
              <b>{show(path, after, nameOf)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
