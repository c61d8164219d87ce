import { useState, type ReactNode } from 'react';
import { confirmWithOpinion } from '../../../../../kernel/web/feedback/dialogs.tsx';
import { toastError } from '../../../../../kernel/web/feedback/toast.ts';
import { send } from '../../../../../kernel/web/http/client.ts';
import { RefusalError, failureText } from '../../../../../kernel/web/http/refusal.ts';
import { Masked } from '../../../../../kernel/web/kit/Masked.tsx';
import { Dict, Money, NOTHING, Time } from '../../../../../kernel/web/kit/values.tsx';
import { breakGlass, revealPatientField } from '../../../../patient/contract/calls/sufferer.ts';
import type { BaseInfo, DiagnosisRow } from '../../../../patient/contract/calls/panel.ts';
import { diagnosisStates, frequencies, genders, indicatorFlags, outcomes, treatmentKinds } from '../../../../patient/contract/dictionaries.ts';
import { patientErrors } from '../../../../patient/contract/errors.ts';
import type { InspectionRow, ModuleCode, ModuleRow, OrderRow, SuggestionRow } from '../../../../patient/contract/modules.ts';
import { patientPermissions as may } from '../../../../patient/contract/permissions.ts';
import { inspectionMachine, suggestionMachine } from '../../../../patient/contract/states.ts';
import { cardPayload } from '../../../contract/im/cards.ts';
import { PANEL_PAGE, modulePage } from '../desk/panelPorts.ts';
import { useDesk, useDeskState } from '../desk/useDesk.ts';
import { useBlocked } from '../chat/blocked.ts';
import { Loaded } from './Block.tsx';

type Revealed = 'mobile' | 'idNo';

/** Somebody outside of one's scope: looking all the same needs a reason, and is told to the supervisors. */
function EmergencyLook({ error, patientId }: { error: unknown; patientId: string | null }): ReactNode {
  const desk = useDesk();
  if (!(error instanceof RefusalError) || error.code !== patientErrors.OUT_OF_SCOPE.code || patientId === null) return <p className="im-none">加载失败：{failureText(error)}<button type="button" className="kq-link" onClick={() => void desk.retry('base')}>重试</button></p>;
  const look = async () => {
    const reason = await confirmWithOpinion({ title: '申请紧急查看', content: '紧急查看会记入档案查看记录并通知主管。', label: '查看原因' });
    if (!reason) return;
    if (!(await send(breakGlass, { patientId, reason }).catch(() => null))) return;
    for (const section of ['base', 'history', 'modular002', 'modular003', 'modular004'] as const) void desk.retry(section);
  };
  return <p className="im-none">{error.message}<button type="button" className="kq-link" onClick={() => void look()}>申请紧急查看</button></p>;
}

function Base() {
  const patientId = useDeskState((state) => state.chat?.patientId ?? null);
  return (
    <Loaded<BaseInfo> title="患者信息" section="base" empty="没有患者信息" onFailure={(error) => <EmergencyLook error={error} patientId={patientId} />}>
      {(person) => {
        const reveal = (field: Revealed) => async (reason: string) => (await send(revealPatientField, { patientId: person.patientId, fields: [field], ...(reason ? { reason } : {}) }, { quiet: true })).values[0]?.value ?? NOTHING;
        const facts: [string, ReactNode][] = [
          ['手机号', <Masked key="m" value={person.mobileMasked} permission={may['patient.reveal']} reveal={reveal('mobile')} withReason />], ['证件号', <Masked key="i" value={person.idNoMasked} permission={may['patient.reveal']} reveal={reveal('idNo')} withReason />],
          ['地区', person.region ?? NOTHING], ['身高体重', `${person.heightCm ? `${person.heightCm}cm` : NOTHING} / ${person.weightG ? `${person.weightG / 1000}kg` : NOTHING}`], ['既往史', person.pastHistory || NOTHING], ['家族史', person.familyHistory || NOTHING], ['保障', person.coverLabels.join('、') || NOTHING],
        ];
        return (
          <>
            <p className="im-person"><b>{person.name}</b> {genders.label(String(person.gender))} {person.age === null ? '' : `${person.age}岁`} <span className="kq-muted kq-number">{person.patientNo}</span></p>
            {person.alerts.map(({ kind, text }) => <p key={kind} className={kind === 'FOLLOW_UP_STOPPED' ? 'im-banner im-soft' : 'im-banner'}>{kind === 'ALLERGY' ? `过敏：${text}` : text}</p>)}
            <dl className="im-facts">{facts.map(([label, value]) => <div key={label}><dt>{label}</dt><dd>{value}</dd></div>)}</dl>
          </>
        );
      }}
    </Loaded>
  );
}

function History() {
  return (
    <Loaded<readonly DiagnosisRow[]> title="诊疗史" section="history" empty="没有诊疗史" isEmpty={(rows) => rows.length === 0}>
      {(rows) => rows.map((row) => (
        <article key={row.id} className="im-record">
          <p><b>{row.name}</b> {row.stage} {row.isPrimary && <i className="im-tag">主诊断</i>} <Dict of={diagnosisStates} code={row.state} /></p>
          <p className="kq-muted">{row.diagnosedAt} · {[row.hospitalName, row.departmentName, row.doctorName].filter(Boolean).join(' ')}</p>
          {row.treatments.map((one) => <p key={one.id} className="im-indent">{treatmentKinds.label(one.kind)} {one.regimen}{one.lineNo ? `（${one.lineNo}线）` : ''} <span className="kq-muted">{one.startOn}{one.endOn ? ` 至 ${one.endOn}` : ' 起'}{one.outcome ? ` · ${outcomes.label(one.outcome)}` : ''}</span></p>)}
        </article>
      ))}
    </Loaded>
  );
}

interface ModuleProps<Row> {
  code: Exclude<ModuleCode, 'modular001'>;
  title: string;
  empty: string;
  suffererOperatorId: string | null;
  row(row: Row): ReactNode;
}

/** Ten rows, and ten more as long as a page is full. */
function Module<Row extends ModuleRow>({ code, title, empty, suffererOperatorId, row }: ModuleProps<Row>) {
  const [added, setAdded] = useState<readonly Row[]>([]);
  const [isEnd, setEnd] = useState(false);
  const [busy, setBusy] = useState(false);
  return (
    <Loaded<readonly Row[]> title={title} section={code} empty={empty} isEmpty={(rows) => rows.length === 0}>
      {(rows) => {
        const more = async () => {
          if (suffererOperatorId === null) return;
          setBusy(true);
          try {
            const page = await modulePage(code, suffererOperatorId, (rows.length + added.length) / PANEL_PAGE + 1);
            setAdded([...added, ...page.rows.filter((one): one is Row => one.moduleCode === code)]);
            setEnd(page.rows.length < PANEL_PAGE);
          } catch (error) {
            toastError(failureText(error));
          } finally {
            setBusy(false);
          }
        };
        return <>{[...rows, ...added].map(row)}{rows.length === PANEL_PAGE && !isEnd && <p className="im-next"><button type="button" className="kq-link" disabled={busy} onClick={() => void more()}>{busy ? '加载中…' : '加载更多'}</button></p>}</>;
      }}
    </Loaded>
  );
}

/** 发送到会话: the row as a card; what the chat would refuse is not offered. */
function SendCard({ onSend }: { onSend(): void }) {
  const { blocks } = useBlocked();
  return blocks ? null : <button type="button" className="kq-link" onClick={onSend}>发送到会话</button>;
}

function Suggestion({ row }: { row: SuggestionRow }) {
  const desk = useDesk();
  const card = () => cardPayload<'medicine_suggestion'>({ businessID: 'medicine_suggestion', v: 1, suggestNo: row.suggestNo, medicines: row.medicines.map(({ medicineName, spec, dose, frequency, days, quantity, unit }) => ({ medicineName, spec, dose, frequency, days, quantity, unit })), doctorName: row.doctorName, status: Number(row.status) });
  return (
    <article className="im-record">
      <p><Dict of={suggestionMachine.dictionary} code={row.status} /> <span className="kq-muted">{row.doctorName} · <Time at={row.prescriptionTime} day /></span>{row.status === '1' && <SendCard onSend={() => void desk.chat.sendCard(card())} />}</p>
      {row.medicines.map((one, index) => <p key={index}>{one.medicineName} <span className="kq-muted">{one.spec} · {one.dose} {frequencies.label(one.frequency)} {one.days}天 ×{one.quantity}{one.unit}</span></p>)}
      {row.note && <p className="kq-muted">医嘱：{row.note}</p>}
    </article>
  );
}

function Order({ row }: { row: OrderRow }) {
  const desk = useDesk();
  const goods = row.lines.map(({ medicineName, qty }) => `${medicineName}×${qty}`).join('、');
  const card = () => cardPayload<'order_card'>({ businessID: 'order_card', v: 1, orderId: row.orderId, orderNo: row.orderNo, goodsSummary: goods, payableAmount: row.payFen, status: row.statusCode });
  return (
    <article className="im-record">
      <p><b>{row.statusName}</b> <span className="kq-muted kq-number">{row.orderNo} · <Time at={row.orderTime} day /></span><SendCard onSend={() => void desk.chat.sendCard(card())} /></p>
      <p>{goods}</p><p className="kq-muted"><Money fen={row.payFen} unit />{row.drugstoreName ? ` · ${row.drugstoreName}` : ''}</p>
    </article>
  );
}

function Inspection({ row }: { row: InspectionRow }) {
  const desk = useDesk();
  const card = () => cardPayload<'inspection_request'>({ businessID: 'inspection_request', v: 1, requestId: row.requestId ?? row.id, items: [{ itemName: row.itemName }], dueOn: row.dueOn });
  const abnormal = row.indicators.filter(({ flag }) => flag !== 'N');
  return (
    <article className="im-record">
      <p><b>{row.itemName}</b> <Dict of={inspectionMachine.dictionary} code={row.status} />{row.status === '0' && <SendCard onSend={() => void desk.chat.sendCard(card())} />}</p>
      <p className="kq-muted"><Time at={row.inspectionTime} day /> {row.hospitalName}</p>
      {abnormal.map((one) => <p key={one.id}>{one.name} <b className="kq-number">{one.value}</b>{one.unit} <Dict of={indicatorFlags} code={one.flag} /></p>)}
      {row.conclusion && <p className="im-clamp" title={row.conclusion}>{row.conclusion}</p>}
    </article>
  );
}

/** The patient's record beside the conversation: 诊疗史, 患者信息, 用药建议, 购药订单, 检查检验. */
export function PatientSections({ suffererOperatorId, above }: { suffererOperatorId: string | null; above: ReactNode }) {
  return (
    <>
      <History />
      {above}
      <Base />
      <Module<SuggestionRow> code="modular002" title="用药建议" empty="没有用药建议" suffererOperatorId={suffererOperatorId} row={(row) => <Suggestion key={row.id} row={row} />} />
      <Module<OrderRow> code="modular003" title="购药订单" empty="没有购药订单" suffererOperatorId={suffererOperatorId} row={(row) => <Order key={row.id} row={row} />} />
      <Module<InspectionRow> code="modular004" title="检查检验" empty="没有检查检验" suffererOperatorId={suffererOperatorId} row={(row) => <Inspection key={row.id} row={row} />} />
    </>
  );
}
