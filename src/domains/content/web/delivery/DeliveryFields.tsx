import { Alert, Button, Form, Input, Select } from 'antd';
import { ClockInput } from '#kernel/web/form/ClockInput.tsx';
import { miniApps } from '#kernel/contract/linkPlaces.ts';
import { plusDays, showInstant, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { lazyDialog } from '#kernel/web/kit/lazyDialog.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { addBanner, queryBannerConflict } from '../../contract/banners/calls.ts';
import { linkTypes, type DeliveryKind } from '../../contract/delivery/dictionaries.ts';
import { CONTENT_IMAGE } from '../../contract/delivery/files.ts';
import { linkFits, linkHints, linkObjectOf } from '../../contract/delivery/links.ts';
import { positionKinds, positionOf, positionsFor, type PositionCode } from '../../contract/delivery/positions.ts';
import { weekdayNames } from '../../contract/delivery/schedule.ts';
import { pageCodes } from '../../contract/floors/clientPages.ts';
import { AudienceInput } from './AudienceInput.tsx';
import type { AudienceDraft } from './audienceDraft.ts';
import { PictureInput } from './PictureInput.tsx';
import { ThingPicker, useThingTypes } from './ThingPicker.tsx';

const LinkTest = lazyDialog(async () => (await import('./LinkTest.tsx')).LinkTest);

/** Places of a kind of delivery, by their pages. */
export const placeOptions = (kind: DeliveryKind) =>
  [...Map.groupBy(positionsFor(kind), ({ pageCode }) => pageCode)].map(([pageCode, places]) => ({
    label: pageCodes.label(pageCode),
    options: places.map(({ positionCode, kind: of, widthPx, heightPx }) => ({
      value: positionCode,
      label: `${pageCodes.label(pageCode)} · ${positionKinds.label(of)}（${widthPx}×${heightPx}）`,
    })),
  }));

interface DailyTimeProps {
  id?: string;
  value?: string | null;
  onChange?(value: string | null): void;
  placeholder: string;
}
/** A time of the day; the end of the day is 24:00. */
export const DailyTime = ({ value, onChange, ...rest }: DailyTimeProps) => (
  <ClockInput
    {...rest}
    minuteStep={5}
    value={value === '24:00' ? '23:59' : value}
    onChange={(at) => onChange?.(at === '23:59' ? '24:00' : at)}
  />
);

export const weekdayOptions = weekdayNames.map((label, index) => ({ value: index + 1, label }));

function LinkFields() {
  const form = Form.useFormInstance();
  const type = Form.useWatch<keyof typeof linkHints | undefined>('linkType', form) ?? 'NONE';
  const linkValue = Form.useWatch<string | null | undefined>('linkValue', form) ?? '';
  const linkParams = Form.useWatch<string | null | undefined>('linkParams', form) ?? '';
  const isThere = useThingTypes();
  const layers = useLayers();
  const { label, hint } = linkHints[type];
  const thing = linkObjectOf(type);
  return (
    <>
      <Field of={addBanner} name="linkType">
        <Select
          options={linkTypes.options
            .filter(({ value }) => {
              const named = linkObjectOf(value);
              return named === null || isThere(named) || value === type;
            })
            .map(({ value, label: name }) => ({ value, label: name }))}
          onChange={() => form.setFieldsValue({ linkValue: '', linkParams: '' })}
        />
      </Field>
      {type !== 'NONE' && (
        <Field of={addBanner} name="linkValue" label={label} extra={hint} required>
          {thing !== null ? (
            <ThingPicker key={thing} thingType={thing} by="no" />
          ) : type === 'OTHER_MP' ? (
            <Select placeholder="请选择小程序" options={miniApps.map(({ appId, name }) => ({ value: appId, label: name }))} />
          ) : (
            <Input placeholder={`请输入${label}`} />
          )}
        </Field>
      )}
      {type === 'OTHER_MP' && <Field of={addBanner} name="linkParams" label="小程序页面路径" placeholder="不填则打开首页" />}
      {type !== 'NONE' && (
        <div className="dl-presets">
          <Button
            size="small"
            disabled={!linkFits(type, linkValue, linkParams)}
            onClick={() => layers.open((close) => <LinkTest link={{ linkType: type, linkValue, linkParams }} onClose={close} />)}
          >
            测试跳转
          </Button>
        </div>
      )}
      {layers.shown}
    </>
  );
}

/** What else is shown there, and from when on there is too much. */
function Conflict({ id }: { id: string | undefined }) {
  const [positionCode, startAt, endAt] = [
    Form.useWatch<PositionCode | undefined>('positionCode'),
    Form.useWatch<Instant | undefined>('startAt'),
    Form.useWatch<Instant | undefined>('endAt'),
  ];
  const [weekdays, dailyFrom, dailyTo] = [
    Form.useWatch('weekdays'),
    Form.useWatch<string | null>('dailyFrom'),
    Form.useWatch<string | null>('dailyTo'),
  ];
  const audience = Form.useWatch<AudienceDraft | undefined>('audience');
  const whole = positionCode !== undefined && startAt && endAt && Date.parse(endAt) > Date.parse(startAt);
  const input = {
    ...(id && { id }),
    positionCode: positionCode ?? 'MP_HOME_BANNER',
    startAt: startAt ?? '2000-01-01T00:00:00.000Z',
    endAt: endAt ?? '2000-01-02T00:00:00.000Z',
    weekdays: weekdays ?? [],
    dailyFrom: dailyFrom && dailyTo ? dailyFrom : null,
    dailyTo: dailyFrom && dailyTo ? dailyTo : null,
    ...(audience && { audience }),
  };
  const conflict = useData(queryBannerConflict, input, { enabled: Boolean(whole), quiet: true });
  const { data } = conflict;
  if (whole && conflict.error && !data) return <Waiting for={conflict} />;
  if (!whole || !data || data.overlapping.length === 0) return null;
  const over = data.overAt !== null;
  return (
    <Alert
      type={over ? 'warning' : 'info'}
      showIcon
      title={
        over
          ? `同一位置自${showInstant(data.overAt ?? '').slice(0, 16)}起已有${data.maxItems}个投放（上限${data.maxItems}），排在第${data.maxItems + 1}位起不会展示`
          : `同一位置该时段另有${data.overlapping.length}个投放，上限${data.maxItems}个`
      }
      description={data.overlapping
        .slice(0, 6)
        .map(({ no, name, priority }) => `${no} ${name}（优先级${priority}）`)
        .join('；')}
    />
  );
}

const presets = [
  { label: '一周', until: () => plusDays(todayHere(), 7) },
  { label: '一月', until: () => plusDays(todayHere(), 30) },
  { label: '长期至年底', until: () => `${Number(todayHere().slice(0, 4)) + 1}-01-01` },
];

function PeriodFields() {
  const form = Form.useFormInstance();
  const quick = (
    <div className="kq-row">
      {presets.map(({ label, until }) => (
        <Button
          key={label}
          size="small"
          onClick={() =>
            form.setFieldsValue({
              startAt: form.getFieldValue('startAt') ?? startOfDay(plusDays(todayHere(), 1)),
              endAt: startOfDay(until()),
            })
          }
        >
          {label}
        </Button>
      ))}
    </div>
  );
  return (
    <>
      <div className="dl-pair">
        <Field of={addBanner} name="startAt">
          <InstantInput placeholder="请选择开始时间" />
        </Field>
        <Field of={addBanner} name="endAt" extra={quick}>
          <InstantInput placeholder="请选择结束时间" />
        </Field>
      </div>
      <div className="dl-pair">
        <Field of={addBanner} name="dailyFrom">
          <DailyTime placeholder="全天" />
        </Field>
        <Field of={addBanner} name="dailyTo">
          <DailyTime placeholder="全天" />
        </Field>
      </div>
      <Field of={addBanner} name="weekdays">
        <Select mode="multiple" placeholder="每天" options={weekdayOptions} />
      </Field>
    </>
  );
}

/** Fields of every delivery. */
export function DeliveryFields({ kind, id }: { kind: DeliveryKind; id: string | undefined }) {
  const positionCode = Form.useWatch<PositionCode | undefined>('positionCode');
  const place = positionCode ? positionOf(positionCode) : null;
  return (
    <>
      <Field of={addBanner} name="positionCode">
        <Select placeholder="请选择位置" options={placeOptions(kind)} showSearch={{ optionFilterProp: 'label' }} />
      </Field>
      <Field
        of={addBanner}
        name="imageFileId"
        extra={place ? `${place.widthPx}×${place.heightPx}或同比例，其他比例的图片上传前裁剪` : '先选择位置'}
      >
        <PictureInput
          purpose={CONTENT_IMAGE}
          hint="点击选择、拖入或粘贴图片"
          crop={place ? { width: place.widthPx, height: place.heightPx } : undefined}
        />
      </Field>
      <Field of={addBanner} name="altText" placeholder="图片打不开时显示的文字" />
      <LinkFields />
      <PeriodFields />
      <Field of={addBanner} name="priority" extra="1至99，数值大的优先展示" />
      <Form.Item label="投放人群" name="audience" className="dl-audience-item">
        <AudienceInput clientType={place?.clientType ?? 'PATIENT'} />
      </Form.Item>
      <Conflict id={id} />
    </>
  );
}
