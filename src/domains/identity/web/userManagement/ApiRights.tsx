import { Select } from 'antd';
import type { MachineParty } from '#kernel/contract/machine.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryApiRightList } from '../../contract/calls/apiClients.ts';

/** What may be given to machine callers. */
export const useApiRights = () => useData(queryApiRightList, {}, { fresh: 60_000, quiet: true });

/** Rights that a machine of this party may be given, and below them the calls that the chosen ones open. */
export function ApiRights({ value, onChange, party, ...rest }: PickerProps<string[]> & { party: MachineParty | undefined }) {
  const rights = useApiRights();
  const offered = (rights.data ?? []).filter(({ parties }) => party !== undefined && parties.includes(party));
  const chosen = (rights.data ?? []).filter(({ permission }) => value?.includes(permission));
  return (
    <>
      <Select
        {...rest}
        className="kq-wide"
        mode="multiple"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        value={value ?? []}
        placeholder={party === undefined ? '请先选择类型' : '请选择权限，不选则不能调用任何接口'}
        loading={rights.fetching}
        notFoundContent={<NoChoices of={rights} none="该类型没有可授予的接口" />}
        options={offered.map(({ permission, label }) => ({ value: permission, label }))}
        onChange={(next) => onChange?.(next)}
      />
      {chosen.length > 0 && (
        <p className="id-scope-sentence">
          可调用：{chosen.flatMap(({ calls }) => calls.map(({ label, path }) => `${label}（${path}）`)).join('、')}
        </p>
      )}
    </>
  );
}
