import { Form } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import {
  addBanner,
  modifyBanner,
  queryBannerDetail,
  queryBannerList,
  queryDeliveryCalendar,
  queryDeliveryCounts,
  type BannerRow,
} from '../../contract/banners/calls.ts';
import { BANNER_TARGET } from '../../contract/delivery/files.ts';
import { positionCodes } from '../../contract/delivery/positions.ts';
import { deliveryLabels } from '../../contract/delivery/shape.ts';
import { audienceDraftOf } from '../delivery/audienceDraft.ts';
import { DeliveryFields } from '../delivery/DeliveryFields.tsx';
import { weekdaysOf } from '../delivery/weekdays.ts';
import { PhoneFrame } from '../delivery/PhoneFrame.tsx';
import '../delivery/delivery.css';

type Values = InputOf<typeof addBanner>;
const refreshes = [queryBannerList, queryBannerDetail, queryDeliveryCalendar, queryDeliveryCounts];
const labels = { ...deliveryLabels, bannerName: deliveryLabels.name };
const WIDTH = 1040;

function Preview({ id }: { id: string | undefined }) {
  const [place, fileId, altText] = [
    Form.useWatch<Values['positionCode'] | undefined>('positionCode'),
    Form.useWatch<string | null>('imageFileId'),
    Form.useWatch<string>('altText'),
  ];
  return (
    <aside>
      <PhoneFrame
        positionCode={place}
        fileId={fileId}
        altText={altText}
        owner={id ? { ownerType: BANNER_TARGET, ownerId: id } : undefined}
      />
    </aside>
  );
}

const valuesOf = (row: BannerRow): Values => ({
  bannerName: row.bannerName,
  positionCode: row.positionCode,
  imageFileId: row.imageFileId,
  altText: row.altText,
  linkType: row.linkType,
  linkValue: row.linkValue,
  linkParams: row.linkParams,
  startAt: row.startAt,
  endAt: row.endAt,
  weekdays: weekdaysOf(row.weekdays),
  dailyFrom: row.dailyFrom,
  dailyTo: row.dailyTo,
  audience: audienceDraftOf(row.audience),
  priority: row.priority,
});

/** Drawer 新增/编辑Banner: the fields, and the phone with the banner in its place. */
export function BannerForm({ row, place, onClose }: { row: BannerRow | null; place?: string | undefined; onClose(): void }) {
  const fields = (
    <div className="dl-form">
      <div>
        <Field of={addBanner} name="bannerName" />
        <DeliveryFields kind="BANNER" id={row?.id} />
      </div>
      <Preview id={row?.id} />
    </div>
  );
  const shared = { open: true, width: WIDTH, labels, refreshes, onClose } as const;
  if (row === null)
    return (
      <FormDrawer<typeof addBanner, Values>
        {...shared}
        title="新增Banner"
        call={addBanner}
        initial={{
          positionCode: positionCodes.codes.find((code) => code === place),
          linkType: 'NONE',
          weekdays: [],
          audience: {},
          priority: 50,
          altText: '',
          linkValue: '',
          linkParams: '',
        }}
        success={SERVER_MESSAGE}
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyBanner, Values>
      {...shared}
      title={`编辑Banner：${row.bannerName}`}
      call={modifyBanner}
      recordKey={row.id}
      initial={valuesOf(row)}
      toInput={(values) => ({ ...values, id: row.id, version: row.version })}
      success="修改成功!"
    >
      {fields}
    </FormDrawer>
  );
}
