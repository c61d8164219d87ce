import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { DoctorPicker } from '#kernel/web/kit/pickers.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryPerfPairs, type addPerfChange } from '../../contract/calls/perfChanges.ts';
import { ProductLinePicker } from '../incentive/CompanyPickers.tsx';
import { AgentPicker } from './AgentPicker.tsx';

type Items = CheckedInputOf<typeof addPerfChange>['items'];
type Item = Items[number];
interface ChoiceProps {
  value?: Items;
  onChange?(items: Items): void;
}
const keyOf = ({ doctorId, productLineId }: Pick<Item, 'doctorId' | 'productLineId'>): string => `${doctorId}/${productLineId}`;

/** Doctors who get somebody for one product line, one a line. */
export function NewPairs({ doctorId: first, value = [], onChange }: ChoiceProps & { doctorId?: string | undefined }) {
  const [line, setLine] = useState<string | null>(value[0]?.productLineId ?? null);
  const [doctors, setDoctors] = useState<readonly (string | null)[]>(
    value.length > 0 ? value.map(({ doctorId }) => doctorId) : [first ?? null],
  );
  const choose = (productLineId: string | null, doctorIds: readonly (string | null)[]) => {
    setLine(productLineId);
    setDoctors(doctorIds);
    const chosen = doctorIds.filter((id) => id !== null);
    onChange?.(productLineId === null ? [] : chosen.map((doctorId) => ({ doctorId, productLineId, toAgentId: null })));
  };
  return (
    <div style={{ display: 'grid', gap: 8 }}>
      <ProductLinePicker aria-label="产品线" value={line} onChange={(next) => choose(next, doctors)} />
      {doctors.map((doctorId, at) => (
        <div key={at} style={{ display: 'flex', gap: 8 }}>
          <div style={{ flex: 1 }}>
            <DoctorPicker
              aria-label={`医生${at + 1}`}
              value={doctorId}
              placeholder="输入姓名查找医生"
              onChange={(next) => choose(line, doctors.with(at, next))}
            />
          </div>
          {doctors.length > 1 && (
            <Button type="link" danger onClick={() => choose(line, doctors.toSpliced(at, 1))}>
              删除医生
            </Button>
          )}
        </div>
      ))}
      <Button style={{ justifySelf: 'start' }} onClick={() => setDoctors([...doctors, null])}>
        添加医生
      </Button>
    </div>
  );
}

type Pair = ReturnType<typeof usePairs>['pairs'][number];
function usePairs(agentId: string) {
  const { data, error, refetch } = useData(queryPerfPairs, { agentId }, { quiet: true });
  return { pairs: data ?? [], loading: data === undefined, error, refetch };
}

/** Hospitals go to the successors as whole ones, the largest first to whoever has least. */
function byHospital(pairs: readonly Pair[], successors: readonly string[]): ReadonlyMap<string, string> {
  const load = new Map(successors.map((id) => [id, 0]));
  const shared = new Map<string, string>();
  const groups = [...Map.groupBy(pairs, ({ hospitalName }) => hospitalName ?? '').values()].toSorted((a, b) => b.length - a.length);
  for (const group of groups) {
    const least = [...load].toSorted((a, b) => a[1] - b[1])[0];
    if (!least) break;
    load.set(least[0], least[1] + group.length);
    for (const pair of group) shared.set(keyOf(pair), least[0]);
  }
  return shared;
}

/** Who takes over, one a line; the doctors are shared out among them by hospital, and each may be given to another one after. */
function Successors({ value, onChange }: { value: readonly string[]; onChange(ids: readonly string[]): void }) {
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, alignItems: 'center' }}>
      <span>按医院分配给</span>
      {[...value, null].map((agentId, at) => (
        <div key={at} style={{ width: 220 }}>
          <AgentPicker
            aria-label={`接收代表${at + 1}`}
            value={agentId}
            placeholder={at === 0 ? '选择接收代表' : '添加接收代表'}
            onChange={(next) => onChange([...new Set(next === null ? value.toSpliced(at, 1) : value.toSpliced(at, 1, next))])}
          />
        </div>
      ))}
    </div>
  );
}

/** Of what somebody has: whom the request is about. A hand-over takes all of them, and says who gets which. */
export function HeldPairs({ agentId, handsOver, value = [], onChange }: ChoiceProps & { agentId: string; handsOver: boolean }) {
  const { pairs, loading, error, refetch } = usePairs(agentId);
  const [successors, setSuccessors] = useState<readonly string[]>([]);
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (loading) return <div className="kq-loading" />;
  if (pairs.length === 0) return <p className="kq-muted">该代表当前没有绑定医生</p>;
  const chosen = new Map(value.map((item) => [keyOf(item), item]));
  const itemOf = (pair: Pair): Item =>
    chosen.get(keyOf(pair)) ?? { doctorId: pair.doctorId, productLineId: pair.productLineId, toAgentId: null };
  const set = (keys: ReadonlySet<string>) => onChange?.(pairs.filter((pair) => keys.has(keyOf(pair))).map(itemOf));
  const share = (next: readonly string[]) => {
    setSuccessors(next);
    const shared = byHospital(pairs, next);
    onChange?.(
      pairs.map((pair) => ({ doctorId: pair.doctorId, productLineId: pair.productLineId, toAgentId: shared.get(keyOf(pair)) ?? null })),
    );
  };
  const give = (pair: Pair, toAgentId: string | null) =>
    onChange?.(
      pairs
        .filter((one) => one === pair || chosen.has(keyOf(one)))
        .map((one) => (one === pair ? { ...itemOf(one), toAgentId } : itemOf(one))),
    );
  return (
    <div style={{ display: 'grid', gap: 4 }}>
      {handsOver && <Successors value={successors} onChange={share} />}
      <Checkbox
        checked={chosen.size === pairs.length}
        indeterminate={chosen.size > 0 && chosen.size < pairs.length}
        onChange={({ target }) => set(new Set(target.checked ? pairs.map(keyOf) : []))}
      >
        全选（共 {pairs.length} 条绑定），已选 {chosen.size} 条
      </Checkbox>
      <div style={{ maxHeight: 280, overflowY: 'auto', display: 'grid', gap: 4 }}>
        {pairs.map((pair) => (
          <div key={keyOf(pair)} style={{ display: 'flex', gap: 8, alignItems: 'center' }}>
            <Checkbox
              checked={chosen.has(keyOf(pair))}
              style={{ flex: 1 }}
              onChange={({ target }) => {
                const keys = new Set(chosen.keys());
                if (target.checked) keys.add(keyOf(pair));
                else keys.delete(keyOf(pair));
                set(keys);
              }}
            >
              {pair.doctorName}　{pair.hospitalName ?? '—'}　{pair.lineName}　{pair.startDate} 起
            </Checkbox>
            {handsOver && chosen.has(keyOf(pair)) && (
              <div style={{ width: 220 }}>
                <AgentPicker
                  aria-label={`${pair.doctorName}的接收代表`}
                  value={chosen.get(keyOf(pair))?.toAgentId ?? null}
                  placeholder="接收代表"
                  onChange={(next) => give(pair, next)}
                />
              </div>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
