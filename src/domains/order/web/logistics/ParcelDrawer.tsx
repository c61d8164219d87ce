import { Button, Drawer, Skeleton, Space, Timeline } from 'antd';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Time } from '#kernel/web/kit/values.tsx';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { markReturned, queryFulfilmentDetail, queryOrderFulfilments } from '../../contract/calls/fulfilments.ts';
import { queryLogisticsList, queryTrack, refreshTrack, reportParcel, subscribeAgain } from '../../contract/calls/logistics.ts';
import { fulfilmentMachine } from '../../contract/fulfilmentStates.ts';
import { trackStates } from '../../contract/orderDictionaries.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';

const refreshes = [queryTrack, queryLogisticsList, queryFulfilmentDetail, queryOrderFulfilments];
const rowShape = queryTrack.output.shape.parcel;

/** A parcel on its way, of the row that the page names. */
export function ParcelDrawer({ record, onChanged, onClose }: PageWindowProps) {
  const { data, error, refetch } = useData(queryTrack, { shipmentId: record }, { quiet: true });
  const mayDo = useMay();
  const options = { success: SERVER_MESSAGE, refreshes, onSuccess: onChanged } as const;
  const refresh = useCommand(refreshTrack, options);
  const subscribe = useCommand(subscribeAgain, options);
  const returned = useCommand(markReturned, options);
  const report = useCommand(reportParcel, options);
  const parcel = data?.parcel;
  const facts = parcel ? factsIn(rowShape, parcel, ['waybillNo', 'carrierCode', 'orderNo']) : [];
  const comeBack = async () => {
    if (!parcel) return;
    const opinion = await askTransition(fulfilmentMachine, 'markReturned', '', facts);
    if (opinion !== null) await returned.run({ fulfilmentId: parcel.fulfilmentId, version: parcel.fulfilmentVersion, opinion });
  };
  const trouble = async () => {
    if (!parcel) return;
    const opinion = await confirmWithOpinion({
      title: '转异常工单',
      content: '由履约运营跟进该包裹。',
      label: '问题说明',
      opinion: 'required',
      facts,
    });
    if (opinion !== null) await report.run({ shipmentId: record, version: parcel.version, opinion });
  };
  const isTracked = parcel !== undefined && parcel.carrierCode !== 'OWN' && parcel.signedAt === null;
  return (
    <Drawer
      open
      title={parcel ? `运单 ${parcel.waybillNo}` : '运单'}
      size="min(760px, 94vw)"
      onClose={onClose}
      footer={
        parcel && (
          <Space>
            {isTracked && (
              <Button type="primary" loading={refresh.busy} onClick={() => void refresh.run({ shipmentId: record })}>
                刷新
              </Button>
            )}
            {isTracked && mayDo(may['fulfilment.ship']) && (
              <Button loading={subscribe.busy} onClick={() => void subscribe.run({ shipmentId: record, version: parcel.version })}>
                重新订阅
              </Button>
            )}
            {parcel.fulfilmentState === 'SHIPPED' && mayDo(may['fulfilment.ship']) && (
              <Button danger onClick={() => void comeBack()}>
                登记退回
              </Button>
            )}
            {parcel.signedAt === null && mayDo(may['exception.handle']) && <Button onClick={() => void trouble()}>转异常工单</Button>}
          </Space>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !parcel ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : (
        <>
          <Facts
            columns={2}
            facts={factsIn(rowShape, parcel, [
              'carrierCode',
              'trackState',
              'orderNo',
              'fulfilmentNo',
              'supplierName',
              'shippedAt',
              'lastNodeAt',
              parcel.signedAt === null ? 'stalledHours' : 'signedAt',
            ])}
          />
          {data.nodes.length === 0 ? (
            <p className="kq-muted">{parcel.carrierCode === 'OWN' ? '自有配送没有物流轨迹' : '快递公司还没有返回轨迹'}</p>
          ) : (
            <Timeline
              items={data.nodes.map((node) => ({
                key: `${node.occurredAt}${node.description}`,
                content: (
                  <>
                    <Time at={node.occurredAt} /> {trackStates.label(node.state)} {node.description}
                    {node.city !== '' && <span className="kq-muted">（{node.city}）</span>}
                  </>
                ),
              }))}
            />
          )}
        </>
      )}
    </Drawer>
  );
}
