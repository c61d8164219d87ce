import type { ReactNode } from 'react';
import { Dict, Money, Time } from '#kernel/web/kit/values.tsx';
import { inspectionKinds, invalidReasons } from '../../contract/dictionaries.ts';
import type { InspectionRow, OrderRow, SuggestionRow } from '../../contract/modules.ts';
import { inspectionMachine, suggestionMachine } from '../../contract/states.ts';
import { abnormalFirst, amount, indicatorText, orderLines, usage } from './texts.ts';

interface CardProps<Row> {
  row: Row;
  actions?: ReactNode;
}

/** Why a suggestion counts no more. */
export const invalidText = (row: SuggestionRow): string | null =>
  row.invalidReason === null ? null : `${invalidReasons.label(row.invalidReason)}${row.withdrawReason ? `：${row.withdrawReason}` : ''}`;

/** A suggested medicine in narrow form. */
export function SuggestionCard({ row, actions }: CardProps<SuggestionRow>) {
  const invalid = invalidText(row);
  return (
    <article className="pa-card" data-row tabIndex={0} aria-label={`用药建议 ${row.suggestNo}`}>
      <div className="pa-card-head">
        <Dict of={suggestionMachine.dictionary} code={row.status} />
        <span className="kq-muted">{row.doctorName}</span>
        <span className="kq-muted">
          <Time at={row.prescriptionTime} day />
        </span>
        {actions && <span className="pa-card-actions">{actions}</span>}
      </div>
      {row.medicines.map((one, index) => (
        <p key={index}>
          {one.medicineName}{' '}
          <span className="kq-muted">
            {one.spec}
            {one.isRx && ' 处方药'}
          </span>
          <br />
          <span className="kq-muted">
            {usage(one)}　{amount(one)}
          </span>
        </p>
      ))}
      {row.note && <p className="kq-muted">医嘱：{row.note}</p>}
      {invalid && <p className="pa-note">{invalid}</p>}
    </article>
  );
}

/** An order's picture in narrow form. */
export function OrderCard({ row, actions }: CardProps<OrderRow>) {
  return (
    <article className="pa-card" data-row tabIndex={0} aria-label={`订单 ${row.orderNo}`}>
      <div className="pa-card-head">
        <span className="pa-tag">{row.statusName}</span>
        <span className="kq-number">{row.orderNo}</span>
        {actions && <span className="pa-card-actions">{actions}</span>}
      </div>
      <p>{orderLines(row)}</p>
      <p className="kq-muted">
        <Time at={row.orderTime} day />
        {'　'}实付 <Money fen={row.payFen} unit />
        {row.drugstoreName && `　${row.drugstoreName}`}
      </p>
    </article>
  );
}

const SHOWN_INDICATORS = 6;

/** A report in narrow form: what is out of range first. */
export function InspectionCard({ row, actions }: CardProps<InspectionRow>) {
  return (
    <article className="pa-card" data-row tabIndex={0} aria-label={`检查检验 ${row.itemName}`}>
      <div className="pa-card-head">
        <Dict of={inspectionMachine.dictionary} code={row.status} />
        <b>{row.itemName}</b>
        <span className="kq-muted">{inspectionKinds.label(row.kind)}</span>
        {actions && <span className="pa-card-actions">{actions}</span>}
      </div>
      <p className="kq-muted">
        {row.status === '0' ? `请于${row.dueOn ?? '近期'}前上传` : <Time at={row.inspectionTime} day />}　{row.hospitalName}
      </p>
      {row.indicators.length > 0 && (
        <p>
          {abnormalFirst(row)
            .slice(0, SHOWN_INDICATORS)
            .map((one) => (
              <span key={one.id} className={`pa-flag-${one.flag}`}>
                {indicatorText(one)}
                {'　'}
              </span>
            ))}
          {row.indicators.length > SHOWN_INDICATORS && <span className="kq-muted">等{row.indicators.length}项</span>}
        </p>
      )}
      {row.conclusion && <p className="pa-lines">{row.conclusion}</p>}
    </article>
  );
}
