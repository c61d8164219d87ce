import { plusDays } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import MonthInput from '#kernel/web/form/MonthInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { queryDoctorPeriodList, startDoctorPeriodClose } from '../../contract/calls/taxes.ts';

interface Values {
  period: string;
}

/** 开始结账: from then on nothing more is posted in the month; another person completes it. */
export function StartClose({ onClose }: { onClose(): void }) {
  const last = plusDays(`${todayHere().slice(0, 7)}-01`, -1).slice(0, 7);
  return (
    <FormDrawer<typeof startDoctorPeriodClose, Values>
      open
      title="开始结账"
      call={startDoctorPeriodClose}
      initial={{ period: last }}
      refreshes={[queryDoctorPeriodList]}
      success="操作成功!"
      onClose={onClose}
    >
      <Field of={startDoctorPeriodClose} name="period" extra="各付款主体该月个税均已申报后才能结账；开始后该账期不再记账，由另一人完成结账">
        <MonthInput max={last} />
      </Field>
    </FormDrawer>
  );
}
