import { Alert, Button, Space } from 'antd';
import { useEffect, useRef } from 'react';
import type { AuditAction } from '#kernel/web/audit/ActionButtons.tsx';
import { AuditPanel } from '#kernel/web/audit/AuditPanel.tsx';
import { useCaseState } from '#kernel/web/audit/caseState.ts';
import { leaseText } from '#kernel/web/audit/lease.ts';
import { saveLabels } from '#kernel/web/audit/savedWork.ts';
import { useAuditDesk } from '#kernel/web/audit/useAuditDesk.ts';
import { useVerdict, type VerdictOption } from '#kernel/web/audit/verdict.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { qualApplyTypes, qualRejectReasons, recheckReasons } from '../../../contract/dictionaries.ts';
import { queryDoctorCounts } from '../../../contract/calls/doctors.ts';
import { doctorPermissions as may } from '../../../contract/permissions.ts';
import {
  auditQualApply,
  claimNextQualApply,
  queryQualApplyDetail,
  queryQualApplyList,
  revealQualApply,
  type QualAction,
} from '../../../contract/calls/qual.ts';
import { qualApplyMachine } from '../../../contract/states.ts';
import { CertViewer } from './CertViewer.tsx';
import { Checks } from './Checks.tsx';
import { CertTable, FactsTable, type Revealed } from './Comparison.tsx';
import { Decision, itemLabel, noWording, verdictLabels, type Verdict, type Wording } from './Decision.tsx';
import { joinQueue, setWorking, useQueue } from './queue.ts';
import { Similar } from './Similar.tsx';
import { useLease } from './useLease.ts';
import { useWork } from './useWork.ts';
import './audit.css';

const recheckActions: Readonly<Record<Verdict, QualAction>> = { pass: 'recheckPass', return: 'recheckReturn', reject: 'recheckReject' };
/** One key per verdict as it was worded: sent twice, it decides once. */
const keyOf = (known: { text: string; key: string }, text: string) => {
  if (known.text !== text) Object.assign(known, { text, key: newKey() });
  return known.key;
};

interface AuditDrawerProps {
  applyId: string;
  onGo(applyId: string | undefined): void;
}

/** One qualification application: certificates, comparison, checks, verdict, timeline; worked by keyboard from case to case. */
export default function AuditDrawer({ applyId, onGo }: AuditDrawerProps) {
  const queue = useQueue();
  useEffect(() => {
    setWorking(true);
    return () => setWorking(false);
  }, []);
  const allowed = useMay();
  const [certAt, setCertAt] = useCaseState(applyId, 0);
  const verdict = useVerdict<Verdict>(applyId);
  const [wording, setWording] = useCaseState<Wording>(applyId, noWording);
  const [revealed, setRevealed] = useCaseState<Revealed | null>(applyId, null);
  const sent = useRef({ text: '', key: '' });
  const { data, next, again, panel } = useAuditDesk({
    caseId: applyId,
    queue,
    call: queryQualApplyDetail,
    inputOf: (id) => ({ applyId: id }),
    none: '没有更多审核单了',
    onGo: (id) => {
      void draft.flush();
      onGo(id);
    },
  });
  const lease = useLease(data, again, () => onGo(undefined));
  const draft = useWork(data, again);
  const audit = useCommand(auditQualApply, { refreshes: [queryQualApplyList, queryDoctorCounts], blockMs: 300 });
  const pool = useCommand(claimNextQualApply, { blockMs: 0 });
  const rechecks = data?.state === 'RECHECK' && !data.mine && !data.passedByMe && allowed(may['qual.recheck']);
  const decides = lease.held || rechecks;

  const reveal = async () => {
    if (!revealed) setRevealed(await send(revealQualApply, { applyId }).catch(() => null));
  };
  /** On to the next case of the list; at its end to whatever waits in the pool. */
  const goOn = async () => {
    if (next !== undefined) return onGo(next);
    const claimed = lease.held ? await pool.run({}, { quiet: true }).catch(() => null) : null;
    if (claimed) joinQueue(claimed.data.id, applyId);
    else toast('没有更多审核单了', 'info');
    onGo(claimed?.data.id);
  };
  const submit = async (given: Verdict) => {
    if (!data || !decides || audit.flying) return;
    if (lease.held && !(await draft.flush())) return;
    const action = rechecks ? recheckActions[given] : given;
    const { items, rejectReasons, ...words } = wording;
    const opinion = words.opinion.trim() || (given === 'pass' ? '' : words.doctorWording.trim());
    const input = {
      applyId,
      version: data.version,
      action,
      ...words,
      opinion,
      items: given === 'return' ? [...items] : [],
      rejectReasons: given === 'reject' ? ([...rejectReasons] as 'N01'[]) : [],
      ...(data.lease?.token && lease.held && { leaseToken: data.lease.token }),
    };
    const answer = await audit.run(input, { idempotencyKey: keyOf(sent.current, JSON.stringify(input)) });
    if (!answer) return again();
    toast(answer.data.state === 'RECHECK' ? '已转医务复核' : '修改成功!');
    again();
    await goOn();
  };
  const options: readonly VerdictOption<Verdict>[] = [
    { value: 'pass', label: `${rechecks ? '复核' : ''}${verdictLabels.pass}`, keys: 'A' },
    { value: 'return', label: verdictLabels.return, keys: 'B' },
    { value: 'reject', label: verdictLabels.reject, keys: 'R', danger: true },
  ];
  const actions: AuditAction[] = [
    ...(lease.claimable ? [{ label: '领取', keys: 'L', primary: true, loading: lease.claiming, act: lease.claim }] : []),
    ...(data && !revealed && allowed(may['sensitive.reveal']) ? [{ label: '显示证件号', keys: 'E', act: () => void reveal() }] : []),
    ...(lease.held ? [{ label: '退回任务池', keys: 'P', disabled: lease.releasing, act: lease.release }] : []),
  ];
  const cert = data?.certs[certAt];
  return (
    <AuditPanel
      {...panel}
      open
      title={
        data
          ? `${data.applyNo}　${data.name}　${qualApplyTypes.label(data.applyType)}${data.round > 1 ? `　第${data.round}次提交` : ''}`
          : '资质审核'
      }
      state={
        data && (
          <Space>
            <Dict of={qualApplyMachine.dictionary} code={data.state} />
            {data.recheckReason && data.state === 'RECHECK' && <Dict of={recheckReasons} code={data.recheckReason} />}
            <span className="kq-muted">
              {leaseText(data.lease)}
              {data.mine && '本人录入，不能审核'}
              {data.passedByMe && data.state === 'RECHECK' && '本人初审，须由他人复核'}
            </span>
            <span className="kq-muted">{lease.held && saveLabels[draft.state]}</span>
          </Space>
        )
      }
      actions={actions}
      {...(decides && { decision: { verdict, options, submit: (given: Verdict) => void submit(given), sending: audit.flying } })}
      evidence={data && <CertViewer apply={data} at={certAt} onChoose={setCertAt} />}
      facts={
        data && (
          <>
            {data.hospitalPending && (
              <Alert
                type="warning"
                showIcon
                className="kq-form-alert"
                title={
                  <>
                    执业机构“{data.hospitalPending.name}”尚未审核通过，
                    <PageLink to="/hospitalManagementAudit" search={{ applyId: data.hospitalPending.hospitalApplyId }}>
                      先处理医院审核单
                    </PageLink>
                  </>
                }
              />
            )}
            {cert && (
              <>
                <h3>证件比对</h3>
                <CertTable cert={cert} revealed={revealed} work={draft.certs[cert.id]} editable={lease.held} onConfirm={draft.confirm} />
              </>
            )}
            <Checks caseId={data.id} checks={draft.checks} editable={lease.held} onJudge={draft.judge} />
            <h3 className="dq-head">资料{data.applyType === 'FIRST' ? '' : '变更'}</h3>
            <FactsTable apply={data} revealed={revealed} />
          </>
        )
      }
      verdict={
        data && (
          <>
            {data.returnItems.length > 0 && data.state === 'RETURNED' && (
              <Alert
                type="warning"
                showIcon
                className="kq-form-alert"
                title={`待补充：${data.returnItems.map(itemLabel).join('、')}`}
                description={data.doctorWording || undefined}
              />
            )}
            {data.state === 'REJECTED' && (
              <Alert
                type="error"
                showIcon
                className="kq-form-alert"
                title={data.rejectReasons.map((code) => qualRejectReasons.label(code)).join('、')}
                description={data.doctorWording || undefined}
              />
            )}
            {data.firstAuditor && <p className="dq-line">初审：{data.firstAuditor}</p>}
            {data.internalNote && <p className="kq-muted dq-line">内部备注：{data.internalNote}</p>}
            {decides && (
              <Decision
                apply={data}
                verdict={verdict.chosen}
                wording={wording}
                onChange={(change) => setWording((now) => ({ ...now, ...change }))}
              />
            )}
            {lease.claimable && (
              <p className="dq-claim">
                <Button type="primary" loading={lease.claiming} onClick={lease.claim}>
                  领取后审核 L
                </Button>
              </p>
            )}
            <Similar rows={data.similar} />
          </>
        )
      }
      timeline={
        <>
          <h3>处理记录</h3>
          <AuditTimeline rows={data?.trail} machine={qualApplyMachine} />
        </>
      }
    />
  );
}
