import { Alert, Button, Space } from 'antd';
import { lazy } from 'react';
import { materialVerdicts, type MaterialVerdict } from '#kernel/contract/evidence.ts';
import { useCaseState } from '#kernel/web/audit/caseState.ts';
import { EvidenceViewer } from '#kernel/web/audit/EvidenceViewer.tsx';
import { leaseText } from '#kernel/web/audit/lease.ts';
import { saveLabels } from '#kernel/web/audit/savedWork.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { TimeLeft } from '#kernel/web/kit/TimeLeft.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { param } from '#kernel/web/router/address.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress, usePageTitle } from '#kernel/web/tabs/page.tsx';
import { materialTypes } from '#domains/insurance/contract/businessLines.ts';
import { rejectReasons } from '../../contract/applyDictionaries.ts';
import {
  claimNextOtherMaterial,
  queryOtherMaterialDetail,
  revealOtherMaterial,
  type OtherMaterialDetail,
} from '../../contract/calls/otherMaterials.ts';
import { contractMachine } from '../../contract/contractStates.ts';
import { factsOfKind } from '../../contract/materialFacts.ts';
import { otherMaterialKinds, otherMaterialMachine } from '../../contract/materialStates.ts';
import { applyPermissions, materialPermissions } from '../../contract/permissions.ts';
import { Duplicates } from './Duplicates.tsx';
import { FactsForm } from './FactsForm.tsx';
import { useMaterialActions, materialReads } from './useMaterialActions.ts';
import { useMaterialLease } from './useMaterialLease.ts';
import { useMaterialWork } from './useMaterialWork.ts';
import './materials.css';

const Decision = lazy(async () => ({ default: (await import('./Decisions.tsx')).Decision }));
const verdicts = ['pass', 'supplement', 'reject'] as const;
const output = queryOtherMaterialDetail.output;
const address = { materialId: param.optional() };
type Earlier = OtherMaterialDetail['earlier'][number];
const earlierColumns = columnsOf<Earlier>(output.shape.earlier.def.element, ['materialNo', 'submittedAt', 'outcome', 'state']);

function Contract({ contract }: { contract: OtherMaterialDetail['contract'] }) {
  return (
    <Facts
      columns={2}
      facts={[
        {
          label: '合同编号',
          value: (
            <PageLink to="/signContractListDetail" search={{ contractId: contract.contractId }}>
              {contract.contractNo}
            </PageLink>
          ),
        },
        ...factsIn(output.shape.contract, contract, ['insuredName', 'mobileMasked', 'productName', 'startDate', 'endDate']),
        ...factsIn(output.shape.contract, contract, ['nextReviewOn', 'reviewCycleDays', 'payeeName', 'payeeAccountMasked']),
        { label: '合同状态', value: <Dict of={contractMachine.dictionary} code={contract.state} /> },
      ]}
    />
  );
}

/** What became of it, or what is asked for. */
function Outcome({ data }: { data: OtherMaterialDetail }) {
  const open = data.supplements.find(({ state }) => state === 'OPEN');
  if (open)
    return (
      <Alert
        className="kq-form-alert"
        type="warning"
        showIcon
        title={`待补件：${open.items.map(({ materialType }) => materialTypes.label(materialType)).join('、')}`}
        description={data.applicantWording}
      />
    );
  if (data.state === 'REJECTED')
    return (
      <Alert
        className="kq-form-alert"
        type="error"
        showIcon
        title={`审核不通过：${data.rejectReasons.map((code) => rejectReasons.label(code)).join('、')}`}
        description={data.applicantWording}
      />
    );
  return data.state === 'APPROVED' ? <Alert className="kq-form-alert" type="success" showIcon title={`审核通过：${data.outcome}`} /> : null;
}

function Review({ materialId }: { materialId: string }) {
  const { data, error, loading, refetch } = useData(queryOtherMaterialDetail, { materialId }, { quiet: true });
  const again = () => void refetch();
  const layers = useLayers();
  const may = useMay();
  const [at, setAt] = useCaseState(materialId, 0);
  const [numbers, setNumbers] = useCaseState<{ payeeAccount: string | null; mobile: string | null } | null>(materialId, null);
  const lease = useMaterialLease(data, again, () => goTo('/otherMaterialVerifyList'));
  const draft = useMaterialWork(data, again);
  const actions = useMaterialActions();
  const claimNext = useCommand(claimNextOtherMaterial, {
    refreshes: materialReads,
    onSuccess: ({ data: next }) => goTo('/otherMaterialVerifyInfo', { materialId: next.id }),
  });
  usePageTitle(data && `其他材料 ${data.materialNo}`);
  const isDone = data !== undefined && !lease.held && !lease.claimable && may(materialPermissions['material.audit']);
  useKeys(isDone ? [{ keys: 'N', label: '领取下一件', act: () => void claimNext.run({}) }] : []);
  const decide = async (verdict: (typeof verdicts)[number]) => {
    if (!data || !(await draft.flush())) return;
    const { data: fresh } = await refetch();
    layers.open((close) => <Decision material={fresh ?? data} verdict={verdict} onDone={again} onClose={close} />);
  };
  const reveal = async () => {
    const { payeeAccount, mobile } = await send(revealOtherMaterial, { materialId });
    setNumbers({ payeeAccount, mobile });
  };
  const hasNumbers = data !== undefined && (data.facts.payeeAccount !== null || data.facts.mobile !== null);
  return (
    <DetailLayout
      title={data && `${data.materialNo} ${otherMaterialKinds.label(data.kind)}`}
      state={data && <Dict of={otherMaterialMachine.dictionary} code={data.state} />}
      subtitle={
        data && (
          <Space>
            {data.dueAt !== null && <TimeLeft at={data.dueAt} />}
            <span className="kq-muted">{leaseText(data.lease)}</span>
            <span className="kq-muted">{lease.held && saveLabels[draft.state]}</span>
            {data.ownPart && data.state !== 'APPROVED' && <span className="kq-muted">本人录入，不能审核</span>}
          </Space>
        )
      }
      actions={
        data && (
          <Space>
            {lease.claimable && (
              <Button type="primary" loading={lease.claiming} onClick={lease.claim}>
                领取
              </Button>
            )}
            {data.state === 'REVIEWING' && data.lease !== null && !data.lease.mine && may(applyPermissions['apply.supervise']) && (
              <Button onClick={() => void actions.takeover({ ...data, insuredName: data.contract.insuredName }).then(again)}>接管</Button>
            )}
            {lease.held && (
              <Button disabled={lease.releasing} onClick={lease.release}>
                退回任务池
              </Button>
            )}
            {lease.held &&
              verdicts.map((verdict) => (
                <Button
                  key={verdict}
                  type={verdict === 'pass' ? 'primary' : 'default'}
                  danger={verdict === 'reject'}
                  onClick={() => void decide(verdict)}
                >
                  {otherMaterialMachine.transitions[verdict].label}
                </Button>
              ))}
            {isDone && (
              <Button type="primary" loading={claimNext.flying} onClick={() => void claimNext.run({})} title="N">
                领取下一件
              </Button>
            )}
          </Space>
        )
      }
      loading={loading}
      error={error}
      onRetry={again}
    >
      {data && (
        <div className="enr-material">
          <EvidenceViewer<MaterialVerdict>
            caseId={data.id}
            name="材料"
            items={data.materials.map(({ id, materialType, fileId }) => ({
              id,
              label: materialTypes.label(materialType),
              fileIds: [fileId],
              ownerType: 'enrolment.otherMaterial',
              ownerId: data.id,
            }))}
            at={at}
            onChoose={setAt}
            verdicts={{
              of: materialVerdicts,
              keys: { OK: 'Q', UNCLEAR: 'W', WRONG: 'E', FAKE: 'R' },
              given: Object.fromEntries(data.materials.map(({ id, verdict }) => [id, draft.work.papers[id]?.verdict ?? verdict])),
              ...(lease.held && { judge: (id, verdict) => draft.judgePaper({ id, verdict }) }),
            }}
          />
          <div>
            <Outcome data={data} />
            <Section title="合同摘要">
              <Contract contract={data.contract} />
            </Section>
            <Section title="事实录入">
              {lease.held ? (
                <FactsForm key={data.id} material={data} onWrite={draft.writeFacts} />
              ) : (
                <Facts
                  columns={2}
                  facts={factsIn(output.shape.facts, { ...data.facts, ...numbers }, [
                    ...factsOfKind[data.kind].needed,
                    ...factsOfKind[data.kind].more,
                  ])}
                />
              )}
              {hasNumbers && numbers === null && may(applyPermissions['apply.reveal']) && (
                <Button size="small" onClick={() => void reveal()}>
                  显示完整号码
                </Button>
              )}
              {lease.held && numbers !== null && (
                <Facts
                  columns={2}
                  facts={factsIn(
                    output.shape.facts,
                    { ...data.facts, ...numbers },
                    (['mobile', 'payeeAccount'] as const).filter((name) => numbers[name] !== null),
                  )}
                />
              )}
              {(data.state === 'PENDING' || data.state === 'REVIEWING') && <p className="kq-muted">通过后：{data.consequence}</p>}
            </Section>
            <Section title="疑似重复">
              <Duplicates rows={data.duplicates} given={draft.work.duplicates} editable={lease.held} onJudge={draft.judgeDuplicate} />
            </Section>
            {data.internalNote !== '' && <p className="kq-muted">内部备注：{data.internalNote}</p>}
            <Section title="历史同类材料">
              <DataTable rows={data.earlier} columns={earlierColumns} rowKey="id" empty="该合同没有同类材料" />
            </Section>
            <Section title="处理记录">
              <AuditTimeline rows={data.trail} machine={otherMaterialMachine} />
            </Section>
          </div>
        </div>
      )}
      {layers.shown}
    </DetailLayout>
  );
}

/** /otherMaterialVerifyInfo?materialId= 其他材料审核详情. */
export default function OtherMaterialVerifyInfo() {
  const [{ materialId }] = useAddress(address);
  if (materialId === undefined)
    return (
      <div className="kq-empty">
        缺少单据编号<PageLink to="/otherMaterialVerifyList">返回其他材料审核</PageLink>
      </div>
    );
  return <Review key={materialId} materialId={materialId} />;
}
