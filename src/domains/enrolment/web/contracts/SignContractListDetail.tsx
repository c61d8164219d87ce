import { Alert, Button, Skeleton, Tabs } from 'antd';
import { lazy, Suspense } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout } from '#kernel/web/detail/DetailLayout.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { param } from '#kernel/web/router/address.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress, usePageTitle } from '#kernel/web/tabs/page.tsx';
import { queryContractDetail } from '../../contract/calls/contracts.ts';
import { cancelReasons, suspendReasons, terminateReasons } from '../../contract/contractDictionaries.ts';
import { contractMachine } from '../../contract/contractStates.ts';
import { materialPermissions, payPermissions } from '../../contract/permissions.ts';
import { Amendments } from './Amendments.tsx';
import { ContractFacts } from './ContractFacts.tsx';
import { Chain, Rights, SignedFile } from './ContractParts.tsx';
import { Terminations } from './Terminations.tsx';
import { useContractActions } from './useContractActions.tsx';

const TABS = ['facts', 'rights', 'file', 'amendments', 'chain', 'materials', 'trail'] as const;
const ContractMaterials = lazy(async () => ({ default: (await import('./ContractMaterials.tsx')).ContractMaterials }));

const address = { contractId: param.optional(), view: param.oneOf(TABS) };

function Content({ contractId }: { contractId: string }) {
  const layers = useLayers();
  const can = useMay();
  const actions = useContractActions(layers);
  const [{ view }, setAddress] = useAddress(address);
  const { data, error, loading, refetch } = useData(queryContractDetail, { contractId }, { quiet: true });
  const contract = data?.contract;
  usePageTitle(contract && `合同 ${contract.contractNo}`);
  const why =
    contract?.suspendReason != null
      ? suspendReasons.label(contract.suspendReason)
      : contract?.cancelReason != null
        ? cancelReasons.label(contract.cancelReason)
        : contract?.terminateReason != null
          ? `${terminateReasons.label(contract.terminateReason)}，${contract.terminatedOn ?? ''}`
          : null;
  return (
    <DetailLayout
      title={contract?.contractNo}
      state={contract && <Dict of={contractMachine.dictionary} code={contract.state} />}
      subtitle={contract && [contract.insuredName, contract.productName, contract.planCode, why].filter(Boolean).join('　')}
      loading={loading}
      error={error}
      onRetry={() => void refetch()}
      actions={
        contract && (
          <>
            {actions
              .filter(({ when, permission }) => (when?.(contract) ?? true) && (permission === undefined || can(permission)))
              .map(({ label, danger, act }) => (
                <Button key={label} danger={danger ?? false} onClick={() => void act(contract)}>
                  {label}
                </Button>
              ))}
            {can(payPermissions['pay.view']) && (
              <Button onClick={() => goTo('/signContractPayDetail', { contractId: contract.id })}>支付详情</Button>
            )}
          </>
        )
      }
    >
      {data && contract && (
        <>
          {data.signIntact === false && <Alert type="error" showIcon title="签署文件与签署时不一致，请核实后重新签署" />}
          <Terminations contract={contract} rows={data.terminations} />
          <Tabs
            size="small"
            activeKey={view}
            onChange={(key) => setAddress({ view: TABS.find((one) => one === key) ?? 'facts' })}
            items={[
              { key: 'facts', label: '合同信息', children: <ContractFacts contract={contract} /> },
              { key: 'rights', label: '权益与额度', children: <Rights medicines={data.medicines} limits={data.limits} /> },
              {
                key: 'file',
                label: '签约文件',
                children: <SignedFile contract={contract} file={data.signFile} intact={data.signIntact} />,
              },
              {
                key: 'amendments',
                label: `变更记录（${data.amendments.length}）`,
                children: <Amendments rows={data.amendments} />,
              },
              { key: 'chain', label: `续签链（${data.chain.length}）`, children: <Chain rows={data.chain} current={contract.id} /> },
              ...(can(materialPermissions['material.view'])
                ? [
                    {
                      key: 'materials',
                      label: '材料',
                      children: (
                        <Suspense fallback={<Skeleton active />}>
                          <ContractMaterials contract={contract} />
                        </Suspense>
                      ),
                    },
                  ]
                : []),
              { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.trail} machine={contractMachine} /> },
            ]}
          />
        </>
      )}
      <Suspense fallback={null}>{layers.shown}</Suspense>
    </DetailLayout>
  );
}

/** /signContractListDetail 签约合同详情 `?contractId=`. */
export default function SignContractListDetail() {
  const [{ contractId }] = useAddress(address);
  if (!contractId)
    return (
      <div className="kq-empty">
        缺少单据编号<PageLink to="/signContractList">返回签约合同</PageLink>
      </div>
    );
  return <Content key={contractId} contractId={contractId} />;
}
