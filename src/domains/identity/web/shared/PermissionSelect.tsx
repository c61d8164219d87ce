import { Select } from 'antd';
import { useMemo } from 'react';
import { useList } from '#kernel/web/http/queries.ts';
import { useChosenNames } from '#kernel/web/kit/chosenNames.ts';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryPermissionList } from '../../contract/calls/menus.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import { Mark } from './Mark.tsx';

const ALL = 999;

/** The permission catalogue; empty for who may not see it. */
export function usePermissions() {
  const may = useMay();
  const { rows } = useList(
    queryPermissionList,
    { pageNo: 1, pageSize: ALL },
    { quiet: true, fresh: 60_000, enabled: may(identityPermissions['menu.view']) },
  );
  return rows;
}

function useOptions() {
  const rows = usePermissions();
  return useMemo(
    () => (rows ?? []).filter((row) => row.retiredAt === null).map(({ code, label, risk }) => ({ value: code, label, risk })),
    [rows],
  );
}

const shared = (options: ReturnType<typeof useOptions>) => ({
  className: 'kq-wide',
  allowClear: true,
  options,
  optionRender: ({ data }: { data: (typeof options)[number] }) => (
    <span title={data.value}>
      {data.label} <span className="kq-muted">{data.value}</span> {data.risk === 'HIGH' && <Mark tone="error">高危</Mark>}
    </span>
  ),
  showSearch: {
    filterOption: (typed: string, option?: (typeof options)[number]) =>
      `${option?.label} ${option?.value}`.toLowerCase().includes(typed.trim().toLowerCase()),
  },
});

/** One permission: "who may pay?". */
export function PermissionFilter({ value, onChange, placeholder = '全部', ...rest }: PickerProps<string>) {
  const options = useOptions();
  useChosenNames(value ? [value] : [], options);
  return (
    <Select<string, (typeof options)[number]>
      {...rest}
      {...shared(options)}
      value={value || undefined}
      placeholder={placeholder}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}
