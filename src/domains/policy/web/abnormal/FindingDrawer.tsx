import { Button, Drawer, Space } from 'antd';
import { lazy, useState } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { useAuditDesk } from '#kernel/web/audit/useAuditDesk.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict, Money } from '#kernel/web/kit/values.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { checkCodes, checkFacts, severities, subjectTypes, type SubjectType } from '../../contract/abnormal/checks.ts';
import { findingMachine } from '../../contract/abnormal/states.ts';
import { queryFindingDetail, type FindingDetail } from '../../contract/calls/abnormal.ts';
import { queryPolicyDetail } from '../../contract/calls/policies.ts';
import { endorsementKinds, type HandKind } from '../../contract/dictionaries.ts';
import { listPermissions, policyPermissions, premiumPermissions } from '../../contract/permissions.ts';
import { useFindingActions } from './useFindingActions.tsx';

const EndorseForm = lazy(async () => ({ default: (await import('../endorse/EndorseForm.tsx')).EndorseForm }));
const EditPolicy = lazy(async () => ({ default: (await import('../policies/PolicyForm.tsx')).EditPolicy }));
const NewOrder = lazy(async () => ({ default: (await import('../premium/NewOrder.tsx')).NewOrder }));

/** Endorsements that are about one person; others are about the policy or bring somebody new. */
const OF_PERSON: ReadonlySet<HandKind> = new Set(['CORRECT', 'PLAN', 'REMOVE']);
const VIEW_OF: Partial<Record<SubjectType, string>> = { insuredItem: 'insured', endorsement: 'endorsement' };

/** Endorsements that mend it, each opened on what it is about. */
function Endorsing({ policyId, finding }: { policyId: string; finding: FindingDetail }) {
  const layers = useLayers();
  const { checkCode, subjectType, subjectId } = finding;
  const { data: policy } = useData(queryPolicyDetail, { policyId }, { quiet: true });
  const { fixes = [] } = checkFacts[checkCode];
  const about = (kind: HandKind) => subjectType === 'insuredItem' && OF_PERSON.has(kind) && { insuredItemId: subjectId };
  return (
    <>
      {fixes
        .filter((kind) => policy?.allowedKinds.includes(kind))
        .map((kind) => (
          <Button
            key={kind}
            onClick={() => layers.open((close) => <EndorseForm policyId={policyId} kind={kind} {...about(kind)} onClose={close} />)}
          >
            办理{endorsementKinds.label(kind)}批单
          </Button>
        ))}
      {layers.shown}
    </>
  );
}

/** Ways to where the thing is mended: pages and dialogs that are there. */
function Fixes({ finding }: { finding: FindingDetail }) {
  const layers = useLayers();
  const has = useMay();
  const { policyId, checkCode, subjectType, subjectId, subject } = finding;
  const view = VIEW_OF[subjectType];
  return (
    <div className="pol-actions">
      {policyId !== null && has(policyPermissions['policy.view']) && (
        <>
          <Button onClick={() => goTo('/policyManage', { policyId, ...(view && { view }) })}>打开保单</Button>
          <Endorsing policyId={policyId} finding={finding} />
        </>
      )}
      {checkCode === 'AB07' && (
        <Can permission={policyPermissions['policy.edit']}>
          <Button onClick={() => layers.open((close) => <EditPolicy row={{ id: subjectId, policyNo: subject }} onClose={close} />)}>
            修改申报人数
          </Button>
        </Can>
      )}
      {checkCode === 'AB19' && policyId !== null && (
        <Can permission={premiumPermissions['premium.make']}>
          <Button onClick={() => layers.open((close) => <NewOrder policyId={policyId} endorsementId={subjectId} onClose={close} />)}>
            生成保费订单
          </Button>
        </Can>
      )}
      {subjectType === 'premiumOrder' && (
        <Can permission={premiumPermissions['premium.view']}>
          <Button onClick={() => goTo('/insurancePremiumOrderInquiry', { premiumOrderNo: subject })}>打开保费订单</Button>
        </Can>
      )}
      {subjectType === 'receipt' && (
        <Can permission={premiumPermissions['premium.receipt']}>
          <Button onClick={() => goTo('/insurancePremiumOrderInquiry', { tab: 'receipts', bankFlowNo: subject })}>打开到账记录</Button>
        </Can>
      )}
      {subjectType === 'batch' && (
        <Can permission={listPermissions['batch.view']}>
          <Button onClick={() => goTo('/inventoryListManagement', { batchId: subjectId })}>打开批次</Button>
        </Can>
      )}
      {layers.shown}
    </div>
  );
}

/** One finding: what is wrong, what it touches, how it is mended, what was done. */
export function FindingDrawer({ findingId: first, queue, onClose }: { findingId: string; queue: readonly string[]; onClose(): void }) {
  const [findingId, setFindingId] = useState(first);
  const { data, panel } = useAuditDesk({
    caseId: findingId,
    queue,
    call: queryFindingDetail,
    inputOf: (id) => ({ findingId: id }),
    none: '本页没有更多异常',
    onGo: (id) => (id === undefined ? onClose() : setFindingId(id)),
  });
  useKeys([{ keys: 'Alt+N', label: '下一条异常', act: panel.onNext }], true);
  const { actions, shown } = useFindingActions();
  return (
    <Drawer
      open
      title="异常详情"
      size={980}
      onClose={onClose}
      destroyOnHidden
      extra={
        <Space>
          <span className="kq-muted">{panel.position}</span>
          <Button title="Alt+N" onClick={panel.onNext}>
            下一条
          </Button>
        </Space>
      }
    >
      <DetailLayout
        title={data && `${checkCodes.label(data.checkCode)} ${data.subject}`}
        state={data && <Dict of={findingMachine.dictionary} code={data.state} />}
        loading={panel.loading}
        error={panel.error}
        onRetry={panel.onRetry}
        actions={
          data &&
          actions
            .filter(({ when }) => when?.(data) ?? true)
            .map(({ label, act }) => (
              <Button key={label} onClick={() => void act(data)}>
                {label}
              </Button>
            ))
        }
        aside={
          data && (
            <Section title="操作记录">
              <AuditTimeline rows={data.timeline} machine={findingMachine} />
            </Section>
          )
        }
      >
        {data && (
          <>
            <Facts
              title="证据"
              facts={factsIn(queryFindingDetail.output, data, [
                'expected',
                { key: 'actual', value: <span className="pol-wrong">{data.actual}</span> },
                { key: 'severity', value: <Dict of={severities} code={data.severity} /> },
                { label: subjectTypes.label(data.subjectType), value: data.subject },
                { key: 'insurerName', value: data.insurerName || '未指定' },
                'owner',
                'firstSeenAt',
                { key: 'lastSeenAt', value: `${showInstant(data.lastSeenAt)}，共${data.timesSeen}次` },
                'dueAt',
                ...(data.ignoreUntil ? [{ label: '忽略至', value: `${data.ignoreUntil}，${data.ignoreBy ?? ''}申请`, wide: true }] : []),
                ...(data.fixNote ? [{ label: '处理说明', value: data.fixNote, wide: true }] : []),
              ])}
            />
            <Facts
              title="影响"
              facts={[
                { label: '有效签约', value: `${data.impact.contracts}份` },
                { label: '在途与已赔付案件', value: `${data.impact.claims}件` },
                { label: '保单待收保费', value: <Money fen={data.impact.openPremiumFen} unit /> },
              ]}
            />
            <Section title="处理指引">
              <ol>
                {data.guide.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
              <Fixes finding={data} />
            </Section>
          </>
        )}
      </DetailLayout>
      {shown}
    </Drawer>
  );
}
