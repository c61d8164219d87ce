import { Drawer, Tabs } from 'antd';
import { lazy, Suspense } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout } from '#kernel/web/detail/DetailLayout.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { PopMenu } from '#kernel/web/kit/PopMenu.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { PartOfPage, useAddress } from '#kernel/web/tabs/page.tsx';
import { queryPolicyDetail } from '../../contract/calls/policies.ts';
import { handKinds, endorsementKinds } from '../../contract/dictionaries.ts';
import { policyPermissions as may, premiumPermissions } from '../../contract/permissions.ts';
import { policyMachine } from '../../contract/states.ts';
import { PolicyFacts } from './PolicyFacts.tsx';

const Insured = lazy(async () => ({ default: (await import('./Insured.tsx')).Insured }));
const Endorsements = lazy(async () => ({ default: (await import('../endorse/Endorsements.tsx')).Endorsements }));
const PremiumOrders = lazy(async () => ({ default: (await import('../premium/PremiumOrders.tsx')).PremiumOrders }));
const EndorseForm = lazy(async () => ({ default: (await import('../endorse/EndorseForm.tsx')).EndorseForm }));

const TABS = ['basic', 'insured', 'endorsement', 'premium', 'trail'] as const;
const address = { view: param.oneOf(TABS) };

/** A policy over the whole width: `?policyId=&view=`. */
export function PolicyDrawer({ policyId, onClose }: { policyId: string; onClose(): void }) {
  const layers = useLayers();
  const allowed = useMay();
  const [{ view }, setAddress] = useAddress(address);
  const { data, error, loading, refetch } = useData(queryPolicyDetail, { policyId }, { quiet: true });
  const kinds = handKinds.filter((kind) => data?.allowedKinds.includes(kind));
  const shown = [
    { key: 'basic', label: '基本信息' },
    ...(allowed(may['insured.view']) ? [{ key: 'insured', label: '被保人' }] : []),
    { key: 'endorsement', label: '批单' },
    ...(allowed(premiumPermissions['premium.view']) ? [{ key: 'premium', label: '保费' }] : []),
    { key: 'trail', label: '操作轨迹' },
  ];
  return (
    <Drawer
      open
      size="100%"
      title="保单详情"
      onClose={() => {
        setAddress({ view: 'basic' });
        onClose();
      }}
      destroyOnHidden
    >
      <DetailLayout
        title={data?.policyNo}
        state={data && <Dict of={policyMachine.dictionary} code={data.state} />}
        subtitle={data && `${data.holderName}　${data.productName} V${data.productVersionNo}　${data.coverageStart} 至 ${data.coverageEnd}`}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
        actions={
          kinds.length > 0 && (
            <PopMenu
              label="批改"
              items={kinds.map((kind) => ({
                key: kind,
                danger: kind === 'SURRENDER' || kind === 'CANCEL',
                label: endorsementKinds.label(kind),
                act: () => layers.open((close) => <EndorseForm policyId={policyId} kind={kind} onClose={close} />),
              }))}
            >
              批改 ▾
            </PopMenu>
          )
        }
      >
        {data && (
          <>
            <Tabs
              size="small"
              activeKey={view}
              items={shown}
              onChange={(key) => setAddress({ view: TABS.find((one) => one === key) ?? 'basic' })}
            />
            <Suspense fallback={<div className="kq-loading" />}>
              <PartOfPage key={view}>
                {view === 'basic' && <PolicyFacts policy={data} />}
                {view === 'insured' && <Insured policy={data} />}
                {view === 'endorsement' && <Endorsements policy={data} />}
                {view === 'premium' && <PremiumOrders policy={data} />}
                {view === 'trail' && <AuditTimeline rows={data.timeline} machine={policyMachine} />}
              </PartOfPage>
            </Suspense>
          </>
        )}
      </DetailLayout>
      {layers.shown}
    </Drawer>
  );
}
