import { Alert, Button, Drawer, Skeleton, Tabs } from 'antd';
import { useState } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import {
  auditSupplier,
  querySupplierDetail,
  querySupplierList,
  revealSupplierMobile,
  testSupplierEndpoint,
  type SupplierDetail,
} from '../../contract/calls/supplier.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { supplierMachine } from '../../contract/supplierStates.ts';
import { SupplierGoods } from './SupplierGoods.tsx';
import { SupplierPauses } from './SupplierPauses.tsx';
import { SupplierRegions } from './SupplierRegions.tsx';

const detailShape = querySupplierDetail.output;
const rowShape = detailShape.shape.supplier;
const ofSupplier = (detail: SupplierDetail) => ({
  supplier: (keys: readonly (keyof SupplierDetail['supplier'] & string)[]) => factsIn(rowShape, detail.supplier, keys),
  detail: (keys: readonly (keyof SupplierDetail & string)[]) => factsIn(detailShape, detail, keys),
});

function Basic({ detail }: { detail: SupplierDetail }) {
  const { id } = detail.supplier;
  const of = ofSupplier(detail);
  return (
    <Facts
      facts={[
        ...of.supplier(['supplierCode', 'supplierName', 'supplierType', 'coldChainCapable', 'status']),
        ...of.detail(['drugstoreName', 'contactName']),
        {
          label: '手机号',
          value: (
            <Masked
              value={detail.contactMobile}
              permission={may['supplier.edit']}
              withReason
              reveal={async (reason) => (await send(revealSupplierMobile, { id, reason })).value ?? ''}
            />
          ),
        },
        ...of.supplier(['updatedBy', 'updatedAt']),
      ]}
    />
  );
}

function Licence({ detail }: { detail: SupplierDetail }) {
  const { id, licenceState, expireOn } = detail.supplier;
  const of = ofSupplier(detail);
  return (
    <>
      {licenceState !== 'VALID' && (
        <Alert
          showIcon
          type="error"
          title={licenceState === 'EXPIRED' ? `证照已于${expireOn}到期，不参与订单分配` : `证照将于${expireOn}到期，请及时更新`}
        />
      )}
      <Facts
        facts={[
          ...of.detail(['licenseNo', 'licenseExpireAt', 'gspExpireAt']),
          ...of.supplier(['licenceState']),
          {
            label: '许可证文件',
            value:
              detail.licenseFileIds.length === 0 ? (
                '还没有上传'
              ) : (
                <FileButtons
                  files={detail.licenseFileIds.map((fileId, at) => ({
                    fileId,
                    fileName: `许可证文件${at + 1}`,
                    detectedType: null,
                    pageCount: null,
                  }))}
                  ownerType="order.supplier"
                  ownerId={id}
                />
              ),
          },
        ]}
      />
    </>
  );
}

function Connection({ detail }: { detail: SupplierDetail }) {
  const [answer, setAnswer] = useState<{ connected: boolean; told: string } | null>(null);
  const test = useCommand(testSupplierEndpoint, { refreshes: [] });
  const of = ofSupplier(detail);
  const ask = async () => {
    setAnswer(null);
    const found = await test.run({ id: detail.supplier.id });
    if (found) setAnswer(found.data);
  };
  return (
    <>
      <Facts facts={[...of.supplier(['integration']), ...of.detail(['endpoint', 'appKey', 'hasSecret'])]} />
      {detail.supplier.integration === 'API' && (
        <Can permission={may['supplier.edit']}>
          <Button onClick={() => void ask()} loading={test.busy}>
            测试连接
          </Button>
        </Can>
      )}
      <div aria-live="polite" className="kq-gap-top">
        {answer && <Alert showIcon type={answer.connected ? 'success' : 'error'} title={answer.told} />}
      </div>
    </>
  );
}

function Freight({ detail }: { detail: SupplierDetail }) {
  const of = ofSupplier(detail);
  return (
    <Facts
      facts={[
        ...of.detail(['freightFirstFen', 'freightStepFen', 'freeShipFen', 'acceptSlaMin', 'shipSlaHour']),
        ...of.supplier(['dailyCapacity']),
        ...of.detail(['cutoffTime']),
      ]}
    />
  );
}

interface Props extends PageWindowProps {
  audits?: boolean;
}

/** One supplier: what it is, where it delivers, what it sells and when it takes no orders; with its verdict where somebody audits. */
export function SupplierDrawer({ record, audits = false, onChanged, onClose }: Props) {
  const { data, error, refetch } = useData(querySupplierDetail, { id: record }, { quiet: true });
  const audit = useCommand(auditSupplier, { success: '审核完成!', refreshes: [querySupplierList, querySupplierDetail] });
  const supplier = data?.supplier;
  const decide = async (decision: 'approve' | 'reject') => {
    if (!supplier) return;
    const facts = factsIn(rowShape, supplier, ['supplierCode', 'supplierName', 'supplierType', 'expireOn']);
    const opinion = await askTransition(supplierMachine, decision, '', facts);
    if (opinion === null) return;
    const done = await audit.run({ id: supplier.id, version: supplier.version, decision, opinion });
    if (!done) return;
    onChanged();
    onClose();
  };
  const changed = () => {
    onChanged();
    void refetch();
  };
  return (
    <Drawer
      open
      title={supplier ? `供应商 ${supplier.supplierCode} ${supplier.supplierName}` : '供应商'}
      size="min(1120px, 94vw)"
      onClose={onClose}
      footer={
        audits &&
        supplier && (
          <div className="kq-detail-actions">
            {(['approve', 'reject'] as const)
              .filter((decision) => supplier.allowedActions.includes(decision))
              .map((decision) => (
                <Button
                  key={decision}
                  type={decision === 'approve' ? 'primary' : 'default'}
                  danger={decision === 'reject'}
                  onClick={() => void decide(decision)}
                >
                  {supplierMachine.transitions[decision].label}
                </Button>
              ))}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <Tabs
          items={[
            { key: 'basic', label: '基本信息', children: <Basic detail={data} /> },
            { key: 'licence', label: '证照', children: <Licence detail={data} /> },
            { key: 'regions', label: '覆盖地区', children: <SupplierRegions detail={data} onChanged={changed} /> },
            { key: 'goods', label: '商品与库存', children: <SupplierGoods supplierId={record} onChanged={onChanged} /> },
            { key: 'freight', label: '运费与时效', children: <Freight detail={data} /> },
            { key: 'connection', label: '对接', children: <Connection detail={data} /> },
            { key: 'pauses', label: '停接时段', children: <SupplierPauses detail={data} onChanged={changed} /> },
            { key: 'trail', label: '审核记录', children: <AuditTimeline rows={data.trail} machine={supplierMachine} /> },
          ]}
        />
      )}
    </Drawer>
  );
}

/** 审核 of the row that the page names. */
export const SupplierAudit = (props: PageWindowProps) => <SupplierDrawer {...props} audits />;
