import { Button, Skeleton, Space } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { leaseText, useCaseLease } from '#kernel/web/audit/lease.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { auditRx, claimRx, heartbeatRx, queryOrderDetail, releaseRx, type OrderDetail } from '../../contract/calls/orders.ts';
import { rxReasons, rxResults } from '../../contract/orderDictionaries.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { orderReads } from './reads.ts';
import './orders.css';

const EvidenceViewer = lazy(async () => ({ default: (await import('#kernel/web/audit/EvidenceViewer.tsx')).EvidenceViewer }));
const RxRefuse = lazy(async () => ({ default: (await import('./RxRefuse.tsx')).RxRefuse }));

interface RxPanelProps {
  data: OrderDetail;
  again(): void;
}

function usePrescription(data: OrderDetail, again: () => void) {
  const allowed = useMay();
  const claim = useCommand(claimRx, { refreshes: orderReads, blockMs: 0, onSuccess: again });
  const release = useCommand(releaseRx, { refreshes: orderReads, success: 'message', onSuccess: again });
  const leaseToken = data.lease?.token ?? '';
  const waits = data.order.state === 'PENDING_RX';
  const lease = useCaseLease({
    data: { id: data.order.id, state: waits ? (data.lease?.mine ? 'REVIEWING' : 'PENDING') : 'DONE', mine: false, lease: data.lease },
    allowed: allowed(may['rx.audit']),
    byHand: true,
    claim: (orderId) => void claim.run({ orderId }),
    release: (orderId) => void release.run({ orderId, leaseToken }),
    beat: (orderId) => send(heartbeatRx, { orderId, leaseToken }, { quiet: true }),
    onLost: again,
  });
  return { ...lease, leaseToken, claiming: claim.flying, releasing: release.busy };
}

/** A prescription beside what is bought for it, and what a pharmacist says of it. */
export function RxPanel({ data, again }: RxPanelProps) {
  const layers = useLayers();
  const lease = usePrescription(data, again);
  const [at, setAt] = useState(0);
  const { order } = data;
  const audit = useCommand(auditRx, { refreshes: orderReads, success: '修改成功!', onSuccess: again });
  const { leaseToken } = lease;
  const pass = () => void audit.run({ orderId: order.id, version: order.version, leaseToken, result: 'PASSED' });
  const refuse = () => layers.open((close) => <RxRefuse order={order} leaseToken={leaseToken} onClose={close} />);
  useKeys(
    lease.held
      ? [
          { keys: 'A', label: '审方通过', act: pass },
          { keys: 'R', label: '审方不通过', act: refuse },
        ]
      : [],
  );
  return (
    <div className="ord-rx">
      <Suspense fallback={<Skeleton active />}>
        <EvidenceViewer
          caseId={order.id}
          name="处方"
          items={data.rxFiles.map(({ fileId }, index) => ({
            id: fileId,
            label: `处方${index + 1}`,
            fileIds: [fileId],
            ownerType: 'order.order',
            ownerId: order.id,
          }))}
          at={at}
          onChoose={setAt}
        />
      </Suspense>
      <div>
        <Facts
          columns={1}
          facts={[
            { label: '审方结果', value: <Dict of={rxResults} code={data.rxResult} /> },
            ...factsIn(queryOrderDetail.output, data, ['rxNo', 'diagnosis', 'rxByName', 'rxAt']),
            ...(data.rxReasons.length === 0
              ? []
              : [{ label: '不通过原因', value: data.rxReasons.map((code) => rxReasons.label(code)).join('、') }]),
          ]}
        />
        <ul className="ord-rx-lines" aria-label="所购药品">
          {data.lines.map((line) => (
            <li key={line.id}>
              <b>{line.goodsName}</b> × {line.quantity} {line.rxRequired && <span className="kq-dict kq-dict-error">处方药</span>}
              {line.coldChain && <span className="kq-dict kq-dict-processing">冷链</span>}
              <br />
              <span className="kq-muted">
                {[line.spec, line.manufacturer, line.approvalNo].filter(Boolean).join('　')}
                {line.daysSupply !== null && `　可用${line.daysSupply}天`}
              </span>
            </li>
          ))}
        </ul>
        <Space style={{ marginTop: 12 }} wrap>
          {lease.claimable && (
            <Button type="primary" loading={lease.claiming} onClick={lease.claim}>
              领取审方
            </Button>
          )}
          {lease.held && (
            <>
              <Button type="primary" loading={audit.flying} onClick={pass} title="A">
                审方通过
              </Button>
              <Button danger onClick={refuse} title="R">
                审方不通过
              </Button>
              <Button disabled={lease.releasing} onClick={lease.release}>
                放回
              </Button>
            </>
          )}
          <span className="kq-muted">{leaseText(data.lease)}</span>
        </Space>
      </div>
      {layers.shown}
    </div>
  );
}
