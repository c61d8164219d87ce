import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { useData } from '#kernel/web/http/queries.ts';
import type { PatientCard, PatientPanelProps, PatientSection } from '#kernel/web/kit/patientPlaces.ts';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { findEhrMedicineSuggested, queryHistoryDiagnosis, querySuffererBaseInfoByUserId } from '../../contract/calls/panel.ts';
import { genders } from '../../contract/dictionaries.ts';
import { HISTORY_ORDER, modules, type ModuleCode, type ModuleRow } from '../../contract/modules.ts';
import { inspectionMachine, suggestionMachine } from '../../contract/states.ts';
import { Reveal } from '../record/Reveal.tsx';
import { BaseFacts } from '../rows/BaseFacts.tsx';
import { DiagnosisCard } from '../rows/DiagnosisCard.tsx';
import { InspectionCard, OrderCard, SuggestionCard } from '../rows/cards.tsx';
import { amount, indicatorText, medicineNames, orderLines, usage } from '../rows/texts.ts';
import { MoreList } from '../shared/MoreList.tsx';
import { ageText, PersonTags } from '../shared/person.tsx';
import { Section } from '../shared/Section.tsx';
import { STEP, useMore } from '../shared/useMore.ts';
import '../shared/patient.css';

const PAGE_CODE = 'IM_PANEL';
type Send = PatientPanelProps['onSend'];

function Base({ userId }: { userId: string }) {
  const { data, error, refetch } = useData(querySuffererBaseInfoByUserId, { userId }, { quiet: true });
  return (
    <Section title="患者信息">
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 4 }} title={false} />
      ) : (
        <>
          <p>
            <PatientLink patientId={data.patientId}>
              <b>{data.name}</b>
            </PatientLink>
            {'　'}
            {genders.label(String(data.gender))}　{ageText(data.age)}　<PersonTags person={data} />
          </p>
          {data.alerts.map(({ kind, text }) => (
            <p key={kind} className={kind === 'ALLERGY' ? 'pa-strip' : 'pa-strip pa-strip-soft'}>
              {kind === 'ALLERGY' ? `过敏：${text}` : text}
            </p>
          ))}
          <BaseFacts
            person={data}
            medical={data}
            extra={[
              {
                label: '手机号',
                value: <Reveal key={`m${data.patientId}`} patientId={data.patientId} field="mobile" masked={data.mobileMasked} />,
              },
              {
                label: '证件号',
                value: <Reveal key={`i${data.patientId}`} patientId={data.patientId} field="idNo" masked={data.idNoMasked} />,
              },
            ]}
          />
        </>
      )}
    </Section>
  );
}

function History({ suffererOperatorId }: { suffererOperatorId: string }) {
  const { data, error, refetch } = useData(queryHistoryDiagnosis, { suffererOperatorId, orderBy: HISTORY_ORDER }, { quiet: true });
  return (
    <Section title="诊疗史">
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 3 }} title={false} />
      ) : data.length === 0 ? (
        <p className="pa-empty">没有诊疗史</p>
      ) : (
        data.map((row) => <DiagnosisCard key={row.id} row={row} />)
      )}
    </Section>
  );
}

function SendButton({ card, onSend }: { card: PatientCard; onSend: Send }) {
  return onSend ? (
    <button type="button" className="kq-link" onClick={() => onSend(card)}>
      发送到会话
    </button>
  ) : null;
}

/** A module's row with its card for the conversation. */
function rowOf(row: ModuleRow, onSend: Send): ReactNode {
  switch (row.moduleCode) {
    case 'modular002':
      return (
        <SuggestionCard
          key={row.id}
          row={row}
          actions={
            <SendButton
              onSend={onSend}
              card={{
                kind: 'SUGGESTION',
                recordId: row.id,
                no: row.suggestNo,
                title: medicineNames(row),
                lines: [
                  suggestionMachine.dictionary.label(row.status),
                  ...row.medicines.map((one) => `${one.medicineName} ${usage(one)} ${amount(one)}`),
                ],
              }}
            />
          }
        />
      );
    case 'modular003':
      return (
        <OrderCard
          key={row.id}
          row={row}
          actions={
            <SendButton
              onSend={onSend}
              card={{ kind: 'ORDER', recordId: row.orderId, no: row.orderNo, title: orderLines(row), lines: [row.statusName] }}
            />
          }
        />
      );
    case 'modular004':
      return (
        <InspectionCard
          key={row.id}
          row={row}
          actions={
            <SendButton
              onSend={onSend}
              card={{
                kind: 'INSPECTION',
                recordId: row.id,
                no: row.inspectionNo,
                title: row.itemName,
                lines: [inspectionMachine.dictionary.label(row.status), ...row.indicators.map(indicatorText)],
              }}
            />
          }
        />
      );
    default:
      return null;
  }
}

function Module({
  suffererOperatorId,
  moduleCode,
  title,
  empty,
  onSend,
}: {
  suffererOperatorId: string;
  moduleCode: ModuleCode;
  title: string;
  empty: string;
  onSend: Send;
}) {
  const input = {
    orderBy: modules[moduleCode].orderBy,
    moduleCode,
    paragraphCode: '',
    associatedId: suffererOperatorId,
    pageCode: PAGE_CODE,
    preciseKeyValue: { status: '' },
  };
  const list = useMore([findEhrMedicineSuggested.name, input], (pageNo, signal) =>
    send(findEhrMedicineSuggested, { pageNo, pageSize: STEP, ...input }, { signal, quiet: true }),
  );
  return (
    <Section title={title}>
      <MoreList list={list} empty={empty}>
        {(rows) => rows.map((row) => rowOf(row, onSend))}
      </MoreList>
    </Section>
  );
}

const ALL: readonly PatientSection[] = ['history', 'base', 'suggestions', 'orders', 'inspections'];

/** The record beside a conversation: every section asks for itself and shows its own loading, failure and emptiness. */
export default function PatientPanel({ suffererOperatorId, userId, sections = ALL, onSend }: PatientPanelProps) {
  const shared = { suffererOperatorId, onSend };
  return (
    <div className="pa-panel" key={suffererOperatorId}>
      {sections.map((section) => {
        switch (section) {
          case 'history':
            return <History key={section} suffererOperatorId={suffererOperatorId} />;
          case 'base':
            return userId ? <Base key={section} userId={userId} /> : null;
          case 'suggestions':
            return <Module key={section} {...shared} moduleCode="modular002" title="用药建议" empty="没有用药建议" />;
          case 'orders':
            return <Module key={section} {...shared} moduleCode="modular003" title="购药订单" empty="没有购药订单" />;
          case 'inspections':
            return <Module key={section} {...shared} moduleCode="modular004" title="检查检验" empty="没有检查检验" />;
        }
      })}
    </div>
  );
}
