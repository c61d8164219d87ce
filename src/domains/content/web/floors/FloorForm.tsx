import { DatePicker, Form } from 'antd';
import dayjs from 'dayjs';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { picked } from '../../../../kernel/contract/field.ts';
import { Field } from '../../../../kernel/web/form/Field.tsx';
import { FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '../../../../kernel/web/http/queries.ts';
import { addFloor, modifyFloor, queryPageLayout } from '../../contract/floors/calls.ts';
import type { PageCode } from '../../contract/floors/clientPages.ts';
import { floorTypes, holdsItems, type FloorType } from '../../contract/floors/dictionaries.ts';
import { floorLabels, type FloorContent, type FloorItem } from '../../contract/floors/shape.ts';
import { previewPage } from '../../contract/releases/calls.ts';
import { ItemsEditor } from './ItemsEditor.tsx';

type Values = Omit<InputOf<typeof addFloor>, 'pageCode' | 'version' | 'floorType' | 'items'> & { items?: FloorItem[] };
const facts = ['floorName', 'title', 'showTitle', 'layout', 'items', 'startAt', 'endAt', 'hideWhenEmpty'] as const;
const refreshes = [queryPageLayout, previewPage];

/** The object's id follows from its number. */
const sent = ({ items, ...values }: Values) => ({
  ...values,
  items: (items ?? []).map(({ objectId: _id, ...item }) => item),
});

const time = (name: 'startAt' | 'endAt') => (
  <Form.Item
    label={floorLabels[name]}
    name={name}
    getValueProps={(value: string | null | undefined) => ({ value: value ? dayjs(value) : null })}
    normalize={(value: dayjs.Dayjs | null) => value?.toISOString() ?? null}
  >
    <DatePicker showTime className="kq-wide" />
  </Form.Item>
);

interface FloorFormProps {
  pageCode: PageCode;
  version: number;
  /** A floor of the draft, or the type of a new one. */
  floor: (FloorContent & { id: string }) | FloorType;
  onClose(): void;
}

/** What a floor is: drawer 新增/编辑楼层. */
export function FloorForm({ pageCode, version, floor, onClose }: FloorFormProps) {
  const floorType = typeof floor === 'string' ? floor : floor.floorType;
  const fields = (
    <>
      <Field of={addFloor} name="floorName" />
      <Field of={addFloor} name="title" />
      <Field of={addFloor} name="showTitle" />
      <Field of={addFloor} name="layout" />
      {holdsItems(floorType) && (
        <Form.Item label={floorLabels.items} name="items">
          <ItemsEditor floorType={floorType} />
        </Form.Item>
      )}
      {time('startAt')}
      {time('endAt')}
      <Field of={addFloor} name="hideWhenEmpty" />
    </>
  );
  const shared = { open: true, onClose, refreshes, labels: floorLabels } as const;
  const noun = floorTypes.label(floorType);
  if (typeof floor === 'string')
    return (
      <FormDrawer<typeof addFloor, Values>
        {...shared}
        title={`新增楼层：${noun}`}
        call={addFloor}
        initial={{ floorName: noun, title: '', showTitle: true, layout: 'ONE', items: [], hideWhenEmpty: true }}
        toInput={(values) => ({ ...sent(values), pageCode, version, floorType })}
        success={SERVER_MESSAGE}
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyFloor, Values>
      {...shared}
      title={`编辑楼层：${floor.floorName}`}
      call={modifyFloor}
      recordKey={floor.id}
      initial={picked(floor, facts)}
      toInput={(values) => ({ ...sent(values), hidden: floor.hidden, id: floor.id, version })}
      success="修改成功!"
    >
      {fields}
    </FormDrawer>
  );
}
