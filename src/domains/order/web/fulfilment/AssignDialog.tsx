import { Alert, Form, Modal, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { assignSupplier, dryRunAllocation } from '../../contract/calls/allocation.ts';
import { supplierFaults } from '../../contract/rules/allocation.ts';
import { partReads } from '../partReads.ts';
import type { AnswerOf } from '#kernel/contract/call.ts';

type Trial = AnswerOf<typeof dryRunAllocation>;
const refreshes = [...partReads, dryRunAllocation];
/** Faults that a person may overrule. */
const OVERRULED = new Set(['CAPACITY_FULL', 'REFUSED', 'STOCK_SHORT', 'NOT_SUPPLIED']);
const keyOf = (supplierId: string, orderLineId: string) => `${supplierId}/${orderLineId}`;

interface Props {
  orderNo: string;
  onDone(): void;
  onClose(): void;
}

/** 人工分配: how many of each line which supplier brings; whoever cannot is shown with the reason. */
export function AssignDialog({ orderNo, onDone, onClose }: Props) {
  const { data, error, refetch } = useData(dryRunAllocation, { orderNo }, { quiet: true });
  const [given, setGiven] = useState<Readonly<Record<string, number | null>>>({});
  const [opinion, setOpinion] = useState('');
  const assign = useCommand(assignSupplier, { success: SERVER_MESSAGE, refreshes });
  const sumOf = (orderLineId: string) =>
    (data?.candidates ?? []).reduce((sum, { supplierId }) => sum + (given[keyOf(supplierId, orderLineId)] ?? 0), 0);
  const isWhole = data !== undefined && data.needs.every(({ orderLineId, quantity }) => sumOf(orderLineId) === quantity);
  const send = async () => {
    if (!data) return;
    const parts = data.candidates.flatMap(({ supplierId }) => {
      const lines = data.needs.flatMap(({ orderLineId }) => {
        const quantity = given[keyOf(supplierId, orderLineId)] ?? 0;
        return quantity > 0 ? [{ orderLineId, quantity }] : [];
      });
      return lines.length > 0 ? [{ supplierId, lines }] : [];
    });
    if (!(await assign.run({ orderId: data.orderId, version: data.version, parts, opinion }))) return;
    onDone();
    onClose();
  };
  return (
    <Modal
      open
      title={`人工分配 ${orderNo}`}
      width={960}
      okText="分配"
      okButtonProps={{ disabled: !isWhole || opinion.trim().length < 2, loading: assign.busy }}
      onOk={() => void send()}
      onCancel={onClose}
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : (
        <>
          {!isWhole && <Alert showIcon type="info" title="分配数量之和须等于待分配数量" />}
          <Shares data={data} given={given} sumOf={sumOf} onGive={(key, value) => setGiven((before) => ({ ...before, [key]: value }))} />
          <Form layout="vertical">
            <Form.Item label="意见" required>
              <TextInput value={opinion} onChange={({ target }) => setOpinion(target.value)} most={500} placeholder="请输入分配意见" />
            </Form.Item>
          </Form>
        </>
      )}
    </Modal>
  );
}

interface SharesProps {
  data: Trial;
  given: Readonly<Record<string, number | null>>;
  sumOf(orderLineId: string): number;
  onGive(key: string, value: number | null): void;
}
function Shares({ data: { needs, candidates }, given, sumOf, onGive }: SharesProps) {
  return (
    <table className="kq-facts-table">
      <thead>
        <tr>
          <th>供应商</th>
          {needs.map(({ orderLineId, goodsName, quantity }) => (
            <th key={orderLineId}>
              {goodsName}（已分{sumOf(orderLineId)}/{quantity}）
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {candidates.map(({ supplierId, supplierName, fault, offers, distanceM, capacityLeft, shipSlaHour }) => (
          <tr key={supplierId}>
            <td>
              {supplierName} {fault !== null && <Tag>{supplierFaults.label(fault)}</Tag>}
              <div className="kq-muted">
                {shipSlaHour}小时内发货
                {capacityLeft !== null && `，今日剩余产能${capacityLeft}`}
                {distanceM !== null && `，${(distanceM / 1_000).toFixed(1)}公里`}
              </div>
            </td>
            {needs.map(({ orderLineId, goodsCode, quantity }) => {
              const offer = offers.find((one) => one.goodsCode === goodsCode);
              const key = keyOf(supplierId, orderLineId);
              const isOut = !offer || offer.available <= 0 || (fault !== null && !OVERRULED.has(fault));
              return (
                <td key={orderLineId}>
                  <NumberInput
                    aria-label={`${supplierName}分配数量`}
                    min={0}
                    max={Math.min(quantity, offer?.available ?? 0)}
                    precision={0}
                    disabled={isOut}
                    value={given[key] ?? null}
                    onChange={(value) => onGive(key, value)}
                  />
                  <div className="kq-muted">{offer ? `可用${offer.available}，供货价${yuan(offer.supplyPriceFen, true)}元` : '不供应'}</div>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
