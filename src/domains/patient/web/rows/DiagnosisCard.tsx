import type { ReactNode } from 'react';
import { Dict } from '#kernel/web/kit/values.tsx';
import type { DiagnosisRow, TreatmentRow } from '../../contract/calls/panel.ts';
import { diagnosisStates, outcomes, recordSources, treatmentKinds } from '../../contract/dictionaries.ts';

const place = (row: DiagnosisRow) => [row.hospitalName, row.departmentName, row.doctorName].filter(Boolean).join(' ');
const span = (row: TreatmentRow) => `${row.startOn} 至 ${row.endOn ?? '今'}`;

interface DiagnosisCardProps {
  row: DiagnosisRow;
  actions?: ReactNode;
  treatmentActions?(treatment: TreatmentRow): ReactNode;
}

/** A diagnosis with what was done about it: lines, regimens, and outcomes by colour. */
export function DiagnosisCard({ row, actions, treatmentActions }: DiagnosisCardProps) {
  return (
    <article className="pa-card" data-row tabIndex={0} aria-label={row.name}>
      <div className="pa-card-head">
        <b>{row.name}</b>
        <span className="kq-muted kq-number">{row.icd10}</span>
        {row.isPrimary && <span className="pa-tag pa-tag-main">主要诊断</span>}
        <Dict of={diagnosisStates} code={row.state} />
        {row.stage && <span className="pa-tag">{row.stage}</span>}
        {actions && <span className="pa-card-actions">{actions}</span>}
      </div>
      <p className="kq-muted">
        {row.diagnosedAt}　{place(row) || '医院未填写'}　来源：{recordSources.label(row.source)}
      </p>
      {row.treatments.length > 0 && (
        <div className="pa-bands">
          {row.treatments.map((treatment) => (
            <div key={treatment.id} className={`pa-band pa-band-${treatment.outcome ? outcomes.tone(treatment.outcome) : 'default'}`}>
              <span className="kq-muted">{treatment.lineNo === null ? treatmentKinds.label(treatment.kind) : `${treatment.lineNo}线`}</span>
              <span>
                {treatment.lineNo !== null && `${treatmentKinds.label(treatment.kind)}　`}
                {treatment.regimen}{' '}
                <small>
                  {span(treatment)}
                  {treatment.adverseGrade ? `　不良反应${treatment.adverseGrade}级` : ''}
                  {treatment.note && `　${treatment.note}`}
                </small>
              </span>
              <span className="pa-card-actions">
                {treatment.outcome && <Dict of={outcomes} code={treatment.outcome} />}
                {treatmentActions?.(treatment)}
              </span>
            </div>
          ))}
        </div>
      )}
    </article>
  );
}
