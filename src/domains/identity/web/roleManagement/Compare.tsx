import { Drawer, Select, Switch } from 'antd';
import { useMemo, useState } from 'react';
import { useQueries } from '@tanstack/react-query';
import { send } from '#kernel/web/http/client.ts';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryRoleInfoDetail } from '../../contract/calls/roles.ts';
import { useRoleOptions } from '../shared/roles.ts';
import { matrixOf } from './matrix.ts';
import { Mark } from '../shared/Mark.tsx';
import './roles.css';

const MOST = 3;

/** Drawer 权限对比: two or three roles side by side, differences only. */
export function Compare({ onClose }: { onClose(): void }) {
  const options = useRoleOptions();
  const [ids, setIds] = useState<string[]>([]);
  const [onlyDifferent, setOnlyDifferent] = useState(true);
  const details = useQueries({
    queries: ids.map((id) => ({
      queryKey: [queryRoleInfoDetail.name, { id }],
      queryFn: () => send(queryRoleInfoDetail, { id }, { quiet: true }),
    })),
  });
  const failed = details.find((detail) => detail.error);
  const roles = details.flatMap(({ data }) => (data ? [data] : []));
  const rows = useMemo(() => matrixOf(roles).filter((row) => !onlyDifferent || row.different), [roles, onlyDifferent]);
  return (
    <Drawer open title="权限对比" size={860} onClose={onClose}>
      <div className="kq-row id-compare-choice">
        <Select<string[]>
          mode="multiple"
          className="kq-wide"
          value={ids}
          maxCount={MOST}
          placeholder={`选择2至${MOST}个角色`}
          options={options.map(({ value, label }) => ({ value, label }))}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={setIds}
        />
        <label className="id-compare-switch">
          <Switch size="small" checked={onlyDifferent} onChange={setOnlyDifferent} /> 仅看差异
        </label>
      </div>
      {failed ? (
        <TableFailure error={failed.error} onRetry={() => void failed.refetch()} />
      ) : ids.length < 2 ? (
        <TableEmpty loading={false}>请选择至少两个角色</TableEmpty>
      ) : roles.length < ids.length ? (
        <TableEmpty loading>{null}</TableEmpty>
      ) : rows.length === 0 ? (
        <TableEmpty loading={false}>所选角色的权限完全相同</TableEmpty>
      ) : (
        <table className="kq-facts-table id-matrix">
          <thead>
            <tr>
              <th>权限（{rows.length}项）</th>
              {roles.map((role) => (
                <th key={role.id}>{role.name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.code}>
                <td title={row.code}>
                  {row.label} {row.high && <Mark tone="error">高危</Mark>}
                </td>
                {row.held.map((held, index) => (
                  <td key={roles[index]?.id} className={held ? 'id-held' : 'id-missing'} aria-label={held ? '有' : '无'}>
                    {held ? '✓' : '—'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Drawer>
  );
}
