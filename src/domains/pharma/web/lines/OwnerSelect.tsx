import { Select } from 'antd';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { NoChoices } from '../../../../kernel/web/kit/NoChoices.tsx';
import { queryChecker } from '../../../identity/contract/calls/users.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';

interface OwnerProps {
  id?: string;
  value?: string | null;
  onChange?(value: string | null): void;
  /** The present owner, who may no longer be among the choices. */
  known?: { value: string; label: string };
}

/** Our business managers: whoever may maintain product lines. */
export function OwnerSelect({ id, value, onChange, known }: OwnerProps) {
  const found = useData(queryChecker, { permission: pharmaPermissions['line.edit'].code }, { fresh: 60_000, quiet: true });
  const choices = (found.data ?? []).map((user) => ({ value: user.userId, label: `${user.displayName}（${user.opNo}）` }));
  const options = known && !choices.some((choice) => choice.value === known.value) ? [known, ...choices] : choices;
  return (
    <Select<string>
      {...(id && { id })}
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={found.fetching}
      notFoundContent={<NoChoices of={found} none="没有符合的员工" />}
      value={value ?? null}
      options={options}
      placeholder="请选择"
      onChange={(next) => onChange?.(next ?? null)}
    />
  );
}
