import { Form, Radio, Space } from 'antd';
import { lazy, Suspense, useEffect } from 'react';
import * as z from 'zod/mini';
import { showInstant } from '#kernel/contract/time.ts';
import { AuditPanel } from '#kernel/web/audit/AuditPanel.tsx';
import { useCaseState } from '#kernel/web/audit/caseState.ts';
import { leaseText, useCaseLease } from '#kernel/web/audit/lease.ts';
import { useAuditDesk } from '#kernel/web/audit/useAuditDesk.ts';
import { useVerdict, verdictTitle, type VerdictOption } from '#kernel/web/audit/verdict.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import { HospitalPicker } from '#kernel/web/kit/pickers.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import {
  auditHospital,
  claimHospitalAudit,
  queryHospitalAuditDetail,
  queryHospitalAuditList,
  releaseHospitalAudit,
} from '../../contract/applyCalls.ts';
import { applicantTypes, applyTypes, rejectReasons } from '../../contract/dictionaries.ts';
import type { HospitalFacts } from '../../contract/hospitalCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { applyMachine } from '../../contract/states.ts';
import { revealContact } from '../../contract/storeCalls.ts';
import { Candidates } from '../shared/Candidates.tsx';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { ApplyFacts } from './ApplyFacts.tsx';

const Papers = lazy(async () => ({ default: (await import('../shared/Papers.tsx')).Papers }));

/** What the auditor has written of a case and not decided yet: it is there again after a reload and after a step to the next case. */
const workSchema = z.object({
  judged: z.array(z.string()),
  target: z.nullable(z.string()),
  opinion: z.string(),
  /** Corrected facts by their names. */
  facts: z.record(z.string(), z.unknown()),
});
type Work = z.output<typeof workSchema>;
const NO_WORK: Work = { judged: [], target: null, opinion: '', facts: {} };
const readWork = (stored: unknown): Work | undefined => workSchema.safeParse(stored).data;

type Verdict = 'approve' | 'link' | 'reject';
const approve: VerdictOption<Verdict> = { value: 'approve', label: '通过', keys: 'A' };
const link: VerdictOption<Verdict> = { value: 'link', label: '关联现有', keys: 'L' };
const reject: VerdictOption<Verdict> = { value: 'reject', label: '驳回', keys: 'R', danger: true };

interface ApplyDrawerProps {
  applyId: string;
  /** The queue as the list shows it. */
  queue: readonly string[];
  onGo(applyId: string | undefined): void;
}

/** One application: evidence, facts, likely duplicates, verdict, timeline; the next case is asked for meanwhile. */
export function ApplyDrawer({ applyId, queue, onGo }: ApplyDrawerProps) {
  const [form] = Form.useForm<Partial<HospitalFacts>>();
  const verdict = useVerdict<Verdict>(applyId);
  const [work, setWork] = useCaseState(applyId, NO_WORK, { as: 'institution.apply', read: readWork });
  const { judged, target, opinion } = work;
  const setTarget = (hospitalId: string | null) => setWork((now) => ({ ...now, target: hospitalId }));
  const setOpinion = (words: string) => setWork((now) => ({ ...now, opinion: words }));
  const allowed = useMay();
  const { data, next, again, panel } = useAuditDesk({
    caseId: applyId,
    queue,
    call: queryHospitalAuditDetail,
    inputOf: (id) => ({ applyId: id }),
    none: '没有更多申请了',
    onGo,
  });
  const claim = useCommand(claimHospitalAudit, { blockMs: 0, onSuccess: again });
  const release = useCommand(releaseHospitalAudit, { refreshes: [queryHospitalAuditList], success: 'message' });
  const audit = useCommand(auditHospital, { refreshes: [queryHospitalAuditList], blockMs: 300 });

  useEffect(() => form.resetFields(), [applyId, form]);
  const { held, release: giveBack } = useCaseLease({
    data: data?.id === applyId ? data : undefined,
    allowed: allowed(may['apply.audit']),
    claim: (id) => void claim.run({ applyId: id }),
    release: (id) =>
      void release.run({ applyId: id }).then((answer) => {
        if (!answer) return;
        setWork(NO_WORK);
        onGo(undefined);
      }),
    beat: (id) => send(claimHospitalAudit, { applyId: id }, { quiet: true }),
    onLost: again,
  });

  const submit = async (action: Verdict) => {
    if (!data || !held) return;
    if (action === 'reject' && !opinion.trim()) return toast('请填写驳回原因', 'warning');
    if (action === 'link' && !target) return toast('请选择要关联的医院', 'warning');
    const payload =
      action === 'approve' && data.applyType === 'CREATE'
        ? Object.fromEntries(
            Object.entries(form.getFieldsValue()).filter(
              ([key, value]) =>
                key !== 'locateSource' &&
                value !== undefined &&
                JSON.stringify(value) !== JSON.stringify(data.payload[key] ?? (value === '' ? '' : undefined)),
            ),
          )
        : undefined;
    const answer = await audit.run({
      applyId,
      version: data.version,
      action,
      opinion,
      notDuplicate: [...judged],
      ...(payload && { payload }),
      ...(target && action === 'link' && { linkHospitalId: target }),
    });
    if (!answer) return again();
    setWork(NO_WORK);
    toast('修改成功!');
    void refresh(queryHospitalAuditDetail);
    onGo(next);
  };
  const actions = held
    ? [
        {
          label: '退回',
          keys: 'B',
          disabled: release.busy,
          act: giveBack,
        },
      ]
    : [];
  const options = data?.applyType === 'CREATE' ? [approve, link, reject] : [approve, reject];
  return (
    <AuditPanel
      {...panel}
      open
      title={data ? `${data.applyNo}　${applyTypes.label(data.applyType)}` : '医院申请'}
      state={
        data && (
          <Space>
            <Dict of={applyMachine.dictionary} code={data.state} />
            <span className="kq-muted">{leaseText(data.lease)}</span>
            {data.mine && <span className="kq-muted">本人提交，不能审核</span>}
          </Space>
        )
      }
      actions={actions}
      {...(held && {
        decision: { verdict, options, submit: (action: Verdict) => void submit(action), busy: audit.busy, sending: audit.flying },
      })}
      evidence={
        data && (
          <>
            <h3>证明材料</h3>
            <Suspense fallback={<div className="kq-loading" />}>
              <Papers ownerType="institution.hospitalApply" ownerId={data.id} />
            </Suspense>
            <h3 className="in-section">申请人</h3>
            <p>
              {applicantTypes.label(data.applicantType)}　{data.applicantName}
            </p>
            {data.applicantMobile && (
              <Masked
                value={data.applicantMobile}
                permission={may['sensitive.reveal']}
                reveal={async () => (await send(revealContact, { ownerType: 'APPLY', ownerId: data.id, field: 'MOBILE' })).value}
              />
            )}
            <p className="kq-muted">
              {showInstant(data.createdAt)} 提交　{data.region}
            </p>
          </>
        )
      }
      facts={
        data && (
          <>
            <h3>申请内容{held && data.applyType === 'CREATE' && <span className="kq-muted">　可更正，更正处会标出</span>}</h3>
            <ApplyFacts
              apply={data}
              form={form}
              editable={held}
              corrected={work.facts}
              onCorrect={(facts) => setWork((now) => ({ ...now, facts: { ...now.facts, ...facts } }))}
            />
          </>
        )
      }
      verdict={
        data && (
          <>
            {data.applyType === 'CREATE' && (data.state === 'PENDING' || data.state === 'REVIEWING') && (
              <>
                <h3>疑似重复</h3>
                <Candidates
                  candidates={data.candidates}
                  judged={judged}
                  empty="没有发现疑似重复的医院"
                  {...(held && {
                    onSame: (candidate) => {
                      setTarget(candidate.hospitalId);
                      verdict.choose('link');
                    },
                    onOther: (candidate) => setWork((now) => ({ ...now, judged: [...now.judged, candidate.hospitalId] })),
                  })}
                />
              </>
            )}
            {held && (
              <Form layout="vertical">
                <h3>审核结论：{verdictTitle({ verdict, options })}</h3>
                {verdict.chosen === 'link' && (
                  <UnboundField label="关联到" required>
                    <HospitalPicker value={target} onChange={setTarget} />
                  </UnboundField>
                )}
                {verdict.chosen === 'reject' && (
                  <Form.Item label="驳回原因" required>
                    <Radio.Group
                      options={rejectReasons.map((value) => ({ value, label: value }))}
                      onChange={(event) => setOpinion(event.target.value === '其他' ? '' : (event.target.value as string))}
                    />
                  </Form.Item>
                )}
                <UnboundField label="意见">
                  <TextArea rows={3} most={500} showCount value={opinion} onChange={(event) => setOpinion(event.target.value)} />
                </UnboundField>
              </Form>
            )}
            {data.opinion && !held && <p>审核意见：{data.opinion}</p>}
            {data.resultHospitalName && <p>结果医院：{data.resultHospitalName}</p>}
          </>
        )
      }
      timeline={
        <>
          <h3>处理记录</h3>
          <AuditTimeline rows={data?.trail} machine={applyMachine} />
        </>
      }
    />
  );
}
