import { Button, Skeleton, Space } from 'antd';
import { lazy, Suspense, useEffect } from 'react';
import { materialVerdicts, type MaterialVerdict } from '#kernel/contract/evidence.ts';
import { ActionButtons, actionKeys, decisionActions, type AuditAction } from '#kernel/web/audit/ActionButtons.tsx';
import { useCaseState } from '#kernel/web/audit/caseState.ts';
import { leaseText } from '#kernel/web/audit/lease.ts';
import { saveLabels } from '#kernel/web/audit/savedWork.ts';
import { useVerdict, type VerdictOption } from '#kernel/web/audit/verdict.ts';
import { DetailLayout } from '#kernel/web/detail/DetailLayout.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { TimeLeft } from '#kernel/web/kit/TimeLeft.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { usePage, usePageTitle } from '#kernel/web/tabs/page.tsx';
import { materialTypes, type MaterialType } from '#domains/insurance/contract/businessLines.ts';
import { recheckReasons } from '../../contract/applyDictionaries.ts';
import { applyMachine } from '../../contract/applyMachine.ts';
import { querySignContractDetail, revealSignContract } from '../../contract/calls/applies.ts';
import {
  auditSignContract,
  claimNextSignContract,
  recheckSignContractRules,
  type AuditAction as Act,
} from '../../contract/calls/appliesWork.ts';
import { applyPermissions as may } from '../../contract/permissions.ts';
import { needsOpinion, noWording, type Verdict, type Wording } from './wording.ts';
import type { Revealed } from './ReviewFacts.tsx';
import { detailPathOf } from './routes.ts';
import { applyRefreshes, useApplyActions } from './useApplyActions.ts';
import { useReviewLease } from './useReviewLease.ts';
import { useReviewWork } from './useReviewWork.ts';
import { enrolVariants } from './variant.ts';
import './applies.css';

const EvidenceViewer = lazy(async () => ({
  default: (await import('#kernel/web/audit/EvidenceViewer.tsx')).EvidenceViewer<MaterialVerdict>,
}));
// The head of the case is drawn first.
const CheckList = lazy(async () => ({ default: (await import('./CheckList.tsx')).CheckList }));
const Duplicates = lazy(async () => ({ default: (await import('./CaseHistory.tsx')).Duplicates }));
const ReviewFacts = lazy(async () => ({ default: (await import('./ReviewFacts.tsx')).ReviewFacts }));
const Outcome = lazy(async () => ({ default: (await import('./Outcome.tsx')).Outcome }));
const CaseHistory = lazy(async () => ({ default: (await import('./CaseHistory.tsx')).CaseHistory }));
const DecisionForm = lazy(async () => ({ default: (await import('./DecisionForm.tsx')).DecisionForm }));
const InsurerForm = lazy(async () => ({ default: (await import('./InsurerForm.tsx')).InsurerForm }));
const GradeForm = lazy(async () => ({ default: (await import('./GradeForm.tsx')).GradeForm }));
const SupplyForm = lazy(async () => ({ default: (await import('./SupplyForm.tsx')).SupplyForm }));

const MATERIAL_KEYS = { OK: 'A', UNCLEAR: 'B', WRONG: 'W', FAKE: 'X' } as const;
const FIRST: Readonly<Record<Verdict, Act>> = { pass: 'pass', supplement: 'supplement', return: 'recheckReturn', reject: 'reject' };
const SECOND: Readonly<Record<Verdict, Act>> = {
  pass: 'recheckPass',
  supplement: 'supplement',
  return: 'recheckReturn',
  reject: 'recheckReject',
};

/** /signContractDetail, /signContractDetailSaas, /hmoSignContractInfo: one application with its materials, checks and verdict. */
export default function EnrolReview() {
  const { search } = usePage();
  const applyId = typeof search['applyId'] === 'string' ? search['applyId'] : '';
  if (applyId === '')
    return (
      <div className="kq-empty">
        缺少单据编号<PageLink to="/signContract">返回入组审核</PageLink>
      </div>
    );
  return <Review key={applyId} applyId={applyId} />;
}

function Review({ applyId }: { applyId: string }) {
  const { path, search } = usePage();
  const allowed = useMay();
  const layers = useLayers();
  const { data, error, loading, refetch } = useData(querySignContractDetail, { applyId }, { quiet: true });
  const again = () => void refetch();
  usePageTitle(data && `入组 ${data.applyNo}`);
  const right = data && detailPathOf(data.productLine);
  useEffect(() => {
    if (right !== undefined && right !== path) goTo(right, search, { replace: true });
  }, [right, path, search]);
  const lease = useReviewLease(data, again);
  const review = useReviewWork(data, again);
  const simple = useApplyActions();
  const verdict = useVerdict<Verdict>(applyId);
  const [wording, setWording] = useCaseState<Wording>(applyId, noWording);
  const [at, setAt] = useCaseState(applyId, 0);
  const [revealed, setRevealed] = useCaseState<Revealed | null>(applyId, null);
  const audit = useCommand(auditSignContract, { refreshes: applyRefreshes, blockMs: 300 });
  const recheck = useCommand(recheckSignContractRules, { refreshes: [querySignContractDetail], success: 'message' });
  const second = data?.state === 'RECHECK';
  const queue = second || !allowed(may['apply.audit']) ? ('RECHECK' as const) : ('POOL' as const);
  const next = useCommand(claimNextSignContract, {
    refreshes: applyRefreshes,
    blockMs: 300,
    onSuccess: ({ data: { id } }) => goTo('/signContractDetail', { applyId: id }),
  });
  const reveal = async () => setRevealed(await send(revealSignContract, { applyId }).catch(() => null));
  const submit = async (given: Verdict) => {
    if (!data || !lease.held || audit.flying) return;
    if (review.gradeLacksNote) return toast('分级与建议不一致时须填写说明', 'warning');
    if (needsOpinion(second, given) && wording.opinion.trim() === '') return toast('请填写审核意见', 'warning');
    if (!(await review.flush())) return;
    const { items, days, reasons, ...words } = wording;
    const answer = await audit.run(
      {
        applyId,
        version: data.version,
        action: (second ? SECOND : FIRST)[given],
        ...(data.lease?.token && { leaseToken: data.lease.token }),
        opinion: words.opinion || (given === 'reject' ? words.applicantWording : ''),
        internalNote: words.internalNote,
        ...(given === 'reject' && { rejectReasons: [...reasons], applicantWording: words.applicantWording }),
        ...(given === 'supplement' && {
          supplement: {
            items: Object.entries(items).map(([materialType, text]) => ({ materialType: materialType as MaterialType, wording: text })),
            days,
          },
        }),
      },
      { idempotencyKey: newKey() },
    );
    if (answer) {
      toast(applyMachine.states[answer.data.state].label);
      setWording(noWording);
    }
    again();
  };
  const variant = data && enrolVariants[data.variant];
  const options: readonly VerdictOption<Verdict>[] = second
    ? [
        { value: 'pass', label: '复核通过', keys: 'Y' },
        { value: 'return', label: '退回初审', keys: 'U' },
        { value: 'reject', label: '复核不通过', keys: 'R', danger: true },
      ]
    : [
        { value: 'pass', label: variant?.passLabel ?? '初审通过', keys: 'Y' },
        { value: 'supplement', label: '通知补件', keys: 'M' },
        { value: 'reject', label: '不通过', keys: 'R', danger: true },
      ];
  const offers = (name: Act) => data?.allowedActions.includes(name) === true;
  const decision = lease.held ? { verdict, options, submit: (given: Verdict) => void submit(given), sending: audit.flying } : undefined;
  const actions: AuditAction[] = [
    ...(lease.claimable
      ? [{ label: second ? '领取复核' : '领取', keys: 'L', primary: true, loading: lease.claiming, act: lease.claim }]
      : []),
    ...(data && !revealed && allowed(may['apply.reveal']) ? [{ label: '显示敏感信息', keys: 'E', act: () => void reveal() }] : []),
    ...(lease.held ? [{ label: '退回任务池', keys: 'Q', disabled: lease.releasing, act: lease.release }] : []),
    ...(lease.held && !second ? [{ label: '重新校验', keys: 'V', act: () => void recheck.run({ applyId }) }] : []),
    ...(!lease.held && !lease.claimable && (allowed(may['apply.audit']) || allowed(may['apply.recheck']))
      ? [{ label: '领取下一件', keys: 'N', loading: next.flying, act: () => void next.run({ queue }) }]
      : []),
  ];
  useKeys(actionKeys([...actions, ...(decision ? decisionActions(decision) : [])], decision));
  return (
    <DetailLayout
      title={data ? `${data.applyNo}　${data.insuredName}` : '入组申请'}
      state={
        data && (
          <Space>
            <Dict of={applyMachine.dictionary} code={data.state} />
            {data.recheckReason && <Dict of={recheckReasons} code={data.recheckReason} />}
            {data.dueAt && <TimeLeft at={data.dueAt} label="时效" />}
            <span className="kq-muted">
              {leaseText(data.lease)}
              {data.ownPart && second && data.lease === null && '本人录入或审核过，须由他人处理'}
            </span>
            <span className="kq-muted">{lease.held && saveLabels[review.state]}</span>
          </Space>
        )
      }
      loading={loading && !data}
      error={data ? undefined : error}
      onRetry={again}
      actions={
        data && (
          <div className="enr-actions">
            <ActionButtons actions={[...actions, ...(decision ? decisionActions(decision) : [])]} />
            {data.lease && !data.lease.mine && data.allowedActions.includes('takeover') && (
              <Button onClick={() => void simple.takeover(data)}>接管</Button>
            )}
            {offers('insurerAccept') && (
              <Button type="primary" onClick={() => layers.open((close) => <InsurerForm apply={data} onClose={close} />)}>
                代录保司结论
              </Button>
            )}
            {data.state === 'SUPPLEMENT' && allowed(may['apply.enter']) && (
              <Button type="primary" onClick={() => layers.open((close) => <SupplyForm apply={data} onClose={close} />)}>
                补件提交
              </Button>
            )}
            {offers('withdraw') && <Button onClick={() => void simple.decide(data, 'withdraw')}>撤回</Button>}
            {offers('appeal') && <Button onClick={() => void simple.decide(data, 'appeal')}>受理申诉</Button>}
            {offers('revokeApproval') && (
              <Button danger onClick={() => void simple.decide(data, 'revokeApproval')}>
                撤销通过
              </Button>
            )}
          </div>
        )
      }
    >
      {data && (
        <div className="enr-review">
          <div className="enr-evidence">
            <Suspense fallback={<Skeleton active />}>
              <EvidenceViewer
                caseId={data.id}
                name="材料"
                items={review.materials.map((one) => ({
                  id: one.id,
                  label: materialTypes.label(one.materialType),
                  fileIds: [one.fileId],
                  ownerType: 'enrolment.apply',
                  ownerId: data.id,
                }))}
                at={at}
                onChoose={setAt}
                verdicts={{
                  of: materialVerdicts,
                  keys: MATERIAL_KEYS,
                  given: Object.fromEntries(review.materials.map(({ id, verdict }) => [id, verdict])),
                  ...(lease.held && { judge: review.judgeMaterial }),
                }}
              />
            </Suspense>
          </div>
          <div>
            <Suspense fallback={null}>
              <Outcome apply={data} />
            </Suspense>
            {decision && (
              <section className="kq-section">
                <h3>审核结论</h3>
                {verdict.chosen === null ? (
                  <p className="kq-muted">先选择结论，Ctrl+Enter 提交</p>
                ) : (
                  <Suspense fallback={null}>
                    <DecisionForm
                      apply={data}
                      verdict={verdict.chosen}
                      wording={wording}
                      onChange={(change) => setWording((now) => ({ ...now, ...change }))}
                    />
                  </Suspense>
                )}
              </section>
            )}
            <Suspense fallback={<Skeleton active />}>
              <CheckList checks={review.checks} editable={lease.held} onJudge={review.judge} />
              {variant?.health && lease.held && (
                <GradeForm
                  proposed={data.proposedGrade}
                  grade={review.grade}
                  lacksNote={review.gradeLacksNote}
                  onChange={review.setGrade}
                />
              )}
              <Duplicates rows={review.duplicates} editable={lease.held} onJudge={review.judgeDuplicate} />
              <ReviewFacts apply={data} revealed={revealed} />
              <CaseHistory apply={data} />
            </Suspense>
          </div>
        </div>
      )}
      {layers.shown}
    </DetailLayout>
  );
}
