import { plusDays } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import MonthInput from '#kernel/web/form/MonthInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { queryDoctorPeriodList, startDoctorPeriodClose } from '../../contract/calls/taxes.ts';
import { periodMachine } from '../../contract/taxStates.ts';

interface Values {
  period: string;
}

/** 开始结账: from then on nothing more is posted in the month; another person completes it. */
export function StartClose({ onClose }: { onClose(): void }) {
  const last = plusDays(`${todayHere().slice(0, 7)}-01`, -1).slice(0, 7);
  const { data, error } = useData(queryDoctorPeriodList, { period: last, pageNo: 1, pageSize: 10 }, { quiet: true });
  if (!data && !error) return null;
  const known = data?.rows[0];
  const isBegun = known !== undefined && !periodMachine.canStart('start', known.status);
  return (
    <FormDrawer<typeof startDoctorPeriodClose, Values>
      open
      title="开始结账"
      call={startDoctorPeriodClose}
      initial={isBegun ? {} : { period: last }}
      refreshes={[queryDoctorPeriodList]}
      success="操作成功!"
      onClose={onClose}
    >
      <Field
        of={startDoctorPeriodClose}
        name="period"
        extra={
          isBegun
            ? `上月账期${last}${periodMachine.states[known.status].label}，本月须到次月才能结账；需补结更早的月份时请选择月份`
            : '各付款主体该月个税均已申报后才能结账；开始后该账期不再记账，由另一人完成结账'
        }
      >
        <MonthInput max={last} />
      </Field>
    </FormDrawer>
  );
}
