import { Select } from 'antd';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { NoChoices } from '../../../../kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { queryChecker } from '../../../identity/contract/calls/users.ts';

interface PersonProps extends PickerProps<string> {
  /** What who is chosen may do. */
  permission: { code: string };
  /** The present one, who may no longer be among the choices. */
  known?: { value: string; label: string } | undefined;
}

/** Somebody who may do the work that he is chosen for. */
export function PersonSelect({ permission, known, value, onChange, placeholder = '请选择', ...rest }: PersonProps) {
  const found = useData(queryChecker, { permission: permission.code }, { fresh: 60_000, quiet: true });
  const choices = (found.data ?? []).map(({ userId, displayName, opNo }) => ({ value: userId, label: `${displayName}（${opNo}）` }));
  const options = known && !choices.some((one) => one.value === known.value) ? [known, ...choices] : choices;
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={found.fetching}
      notFoundContent={<NoChoices of={found} none="没有符合的员工" />}
      value={value ?? null}
      options={options}
      placeholder={placeholder}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}
