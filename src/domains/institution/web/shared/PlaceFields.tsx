import { AutoComplete, Form } from 'antd';
import type { FormInstance } from 'antd';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { RegionPicker } from '#kernel/web/kit/pickers.tsx';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { inputTips } from '#domains/identity/contract/calls/addresses.ts';
import type { hospitalFactsInput } from '../../contract/hospitalCalls.ts';
import type { storeFactsInput } from '../../contract/storeFacts.ts';
import { placeInput } from '../../contract/place.ts';

const PlaceMap = lazy(async () => ({ default: (await import('./PlaceMap.tsx')).PlaceMap }));

const PAUSE_MS = 300;

/** Region, address with tips, coordinates and pin: choosing a tip fills all of them. */
export function PlaceFields({
  of,
  form,
  radiusM,
}: {
  of: typeof storeFactsInput | typeof hospitalFactsInput;
  form: FormInstance;
  radiusM?: number | null;
}) {
  const adcode = Form.useWatch<string | null>('adcode', form) ?? null;
  const address = Form.useWatch<string | undefined>('address', form) ?? '';
  const lngE6 = Form.useWatch<number | null>('lngE6', form) ?? null;
  const latE6 = Form.useWatch<number | null>('latE6', form) ?? null;
  const [keywords, setKeywords] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setKeywords(address.trim().slice(0, 50)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [address]);
  const { data, error } = useData(
    inputTips,
    { keywords, ...(adcode && { city: adcode }) },
    { quiet: true, fresh: 60_000, enabled: keywords.length >= 2 },
  );
  const tips = data?.tips ?? [];
  const place = (lng: number | null, lat: number | null, source: 'TIP' | 'MANUAL') =>
    form.setFieldsValue({ lngE6: lng, latE6: lat, locateSource: lng === null ? null : source });
  return (
    <>
      <Field of={of} name="adcode" label="省市区">
        <RegionPicker />
      </Field>
      <Field of={of} name="address" extra={error && keywords.length >= 2 ? failureText(error) : undefined}>
        <AutoComplete
          placeholder="输入地址或机构名，可从提示中选择"
          options={
            error
              ? []
              : tips.map((tip, index) => ({
                  key: `${tip.name}${index}`,
                  value: tip.address || tip.name,
                  label: tip.address && tip.address !== tip.name ? `${tip.name}（${tip.address}）` : tip.name,
                  tip,
                }))
          }
          onSelect={(_value: string, option: { tip?: (typeof tips)[number] }) => {
            if (!option.tip) return;
            const { tip } = option;
            if (!tip.adcode.endsWith('0000')) form.setFieldValue('adcode', tip.adcode);
            if (tip.lng !== null && tip.lat !== null) place(Math.round(tip.lng * 1e6), Math.round(tip.lat * 1e6), 'TIP');
          }}
        />
      </Field>
      <div className="in-two">
        <Field
          of={placeInput}
          name="lngE6"
          getValueProps={(value: number | null) => ({ value: value === null || value === undefined ? null : value / 1e6 })}
          normalize={(value: number | null) => (value === null ? null : Math.round(value * 1e6))}
        >
          <NumberInput className="kq-wide" step={0.0001} min={73} max={136} placeholder="如 120.130000" />
        </Field>
        <Form.Item
          label="纬度"
          name="latE6"
          getValueProps={(value: number | null) => ({ value: value === null || value === undefined ? null : value / 1e6 })}
          normalize={(value: number | null) => (value === null ? null : Math.round(value * 1e6))}
        >
          <NumberInput className="kq-wide" step={0.0001} min={3} max={54} placeholder="如 30.270000" />
        </Form.Item>
      </div>
      <Form.Item name="locateSource" hidden>
        <input />
      </Form.Item>
      <Suspense fallback={null}>
        <PlaceMap
          adcode={adcode}
          point={lngE6 !== null && latE6 !== null ? { lngE6, latE6 } : null}
          radiusM={radiusM ?? null}
          onMove={(point) => place(point.lngE6, point.latE6, 'MANUAL')}
        />
      </Suspense>
      <p className="kq-muted">点击或拖动图上的标记调整位置。</p>
    </>
  );
}
