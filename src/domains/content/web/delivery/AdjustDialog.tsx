import { Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { adjustAdvertise, queryAdvertiseDetail, queryAdvertiseList, type AdvertRow } from '../../contract/adverts/calls.ts';
import {
  adjustBanner,
  queryBannerDetail,
  queryBannerList,
  queryDeliveryCalendar,
  queryDeliveryCounts,
  type BannerRow,
} from '../../contract/banners/calls.ts';
import { deliveryLabels } from '../../contract/delivery/shape.ts';
import { DailyTime, weekdayOptions } from './DeliveryFields.tsx';
import { weekdaysOf } from './weekdays.ts';

const times = (
  <>
    <Field of={adjustBanner} name="endAt">
      <InstantInput />
    </Field>
    <Field of={adjustBanner} name="dailyFrom">
      <DailyTime placeholder="全天" />
    </Field>
    <Field of={adjustBanner} name="dailyTo">
      <DailyTime placeholder="全天" />
    </Field>
    <Field of={adjustBanner} name="weekdays">
      <Select mode="multiple" placeholder="每天" options={weekdayOptions} />
    </Field>
    <Field of={adjustBanner} name="priority" />
  </>
);
type Times = Omit<InputOf<typeof adjustBanner>, 'id' | 'version'>;
const timesOf = ({ endAt, dailyFrom, dailyTo, weekdays, priority }: BannerRow | AdvertRow): Times => ({
  endAt,
  dailyFrom,
  dailyTo,
  weekdays: weekdaysOf(weekdays),
  priority,
});
const width = 520;

export function AdjustBanner({ row, onClose }: { row: BannerRow; onClose(): void }) {
  return (
    <FormDialog<typeof adjustBanner, Times>
      open
      width={width}
      title={`调整投放：${row.bannerName}`}
      call={adjustBanner}
      labels={deliveryLabels}
      initial={timesOf(row)}
      refreshes={[queryBannerList, queryBannerDetail, queryDeliveryCalendar, queryDeliveryCounts]}
      success="操作成功!"
      onClose={onClose}
      toInput={(values) => ({ ...values, id: row.id, version: row.version })}
    >
      {times}
    </FormDialog>
  );
}

type Caps = Times & Pick<InputOf<typeof adjustAdvertise>, 'capPerPersonDay' | 'capPerPersonTotal'>;
export function AdjustAdvert({ row, onClose }: { row: AdvertRow; onClose(): void }) {
  return (
    <FormDialog<typeof adjustAdvertise, Caps>
      open
      width={width}
      title={`调整投放：${row.adName}`}
      call={adjustAdvertise}
      labels={deliveryLabels}
      initial={{ ...timesOf(row), capPerPersonDay: row.capPerPersonDay, capPerPersonTotal: row.capPerPersonTotal }}
      refreshes={[queryAdvertiseList, queryAdvertiseDetail, queryDeliveryCalendar, queryDeliveryCounts]}
      success="操作成功!"
      onClose={onClose}
      toInput={(values) => ({ ...values, id: row.id, version: row.version })}
    >
      {times}
      <Field of={adjustAdvertise} name="capPerPersonDay" />
      <Field of={adjustAdvertise} name="capPerPersonTotal">
        <NumberInput className="kq-wide" placeholder="不限" />
      </Field>
    </FormDialog>
  );
}
