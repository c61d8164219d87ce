import type { ReactNode } from 'react';
import { askReason } from '#kernel/web/feedback/dialogs.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { patientPanelPlace, type PatientCard } from '#kernel/web/kit/patientPlaces.ts';
import { Slot } from '#kernel/web/slots.tsx';
import { findEhrMedicineSuggested, queryHistoryDiagnosis, querySuffererBaseInfoByUserId } from '#domains/patient/contract/calls/panel.ts';
import { breakGlass } from '#domains/patient/contract/calls/sufferer.ts';
import { patientErrors } from '#domains/patient/contract/errors.ts';
import { useBlocked } from '../chat/composer/composing.ts';
import { useDesk, useDeskState, usePatientId } from '../desk/useDesk.ts';
import { cardOfRecord } from './recordCards.ts';

/** Somebody outside of one's scope: looking all the same needs a reason, and the record keeps it. */
function EmergencyLook({ patientId }: { patientId: string }) {
  // The same question as the panel's own, answered once for both.
  const { error } = useData(querySuffererBaseInfoByUserId, { userId: patientId }, { quiet: true });
  if (!(error instanceof RefusalError) || error.code !== patientErrors.OUT_OF_SCOPE.code) return null;
  const look = async () => {
    const reason = await askReason({ title: '申请紧急查看', content: '紧急查看会记入档案查看记录。', label: '查看原因' });
    if (reason && (await send(breakGlass, { patientId, reason }).catch(() => null)))
      await refresh(querySuffererBaseInfoByUserId, queryHistoryDiagnosis, findEhrMedicineSuggested);
  };
  return (
    <p className="im-banner im-look">
      {error.message}
      <button type="button" className="kq-link" onClick={() => void look()}>
        申请紧急查看
      </button>
    </p>
  );
}

/** The patient's record beside the conversation: 诊疗史, 患者信息 beneath the complaint, 用药建议, 购药订单, 检查检验. */
export function PatientSections({ above }: { above: ReactNode }) {
  const desk = useDesk();
  const record = useDeskState((state) => state.chat?.record ?? null);
  const patientId = usePatientId();
  const { blocks } = useBlocked();
  const suffererOperatorId = record?.suffererOperatorId ?? null;
  const waiting = (
    <div className="im-skeleton" aria-busy="true">
      <i />
      <i />
      <i />
    </div>
  );
  if (record === null) return waiting;
  if (suffererOperatorId === null) return <p className="im-none">会话中没有患者</p>;
  const onSend = async (card: PatientCard) => {
    const payload = await cardOfRecord(card, suffererOperatorId).catch(() => null);
    if (payload === null) toastError('该资料已变化，请刷新后重试');
    else await desk.chat.sendCard(payload);
  };
  return (
    <>
      {patientId && <EmergencyLook patientId={patientId} />}
      <Slot of={patientPanelPlace} props={{ suffererOperatorId, sections: ['history'] }} fallback={waiting} />
      {above}
      <Slot
        of={patientPanelPlace}
        props={{
          suffererOperatorId,
          userId: patientId ?? undefined,
          sections: ['base', 'suggestions', 'orders', 'inspections'],
          onSend: blocks ? undefined : (card: PatientCard) => void onSend(card),
        }}
      />
    </>
  );
}
