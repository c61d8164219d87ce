import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import type { QualDetail } from '../../../contract/calls/qual.ts';
import { qualMachine } from '../../../contract/states.ts';

/** Other records that may be the same person. */
export function Similar({ rows }: { rows: QualDetail['similar'] }) {
  return (
    <section>
      <h3>疑似同一医生</h3>
      {rows.length === 0 ? (
        <p className="kq-muted">没有发现</p>
      ) : (
        <ul className="dq-similar">
          {rows.map((row) => (
            <li key={row.doctorId}>
              <PageLink to="/doctorManagement" search={{ doctorId: row.doctorId }}>
                {row.name} {row.doctorNo}
              </PageLink>{' '}
              <Dict of={qualMachine.dictionary} code={row.qualState} />
              <div className="kq-muted">
                {row.hospitalName ?? '—'}　{row.why.join('、')}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
