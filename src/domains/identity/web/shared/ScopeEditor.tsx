import { Radio, Switch } from 'antd';
import { useState } from 'react';
import { ChannelsPicker, channelsPlace, InsurersPicker, insurersPlace, RegionsPicker } from '#kernel/web/kit/pickers.tsx';
import { useSession } from '#kernel/web/session/store.ts';
import { isFilled } from '#kernel/web/slots.tsx';
import { IdsInput } from '../pickers/IdsInput.tsx';
import { EVERYTHING, isRestricted, scopeSentence } from './scope.ts';
import type { Scope } from './scope.ts';
import './page.css';

interface ScopeEditorProps {
  value?: Scope;
  onChange?(scope: Scope): void;
  disabled?: boolean;
  /** A machine has no rows of its own person. */
  forMachine?: boolean;
}

/** 数据范围: everything, or limited by region, insurer, channel, own rows. */
export function ScopeEditor({ value = EVERYTHING, onChange, disabled = false, forMachine = false }: ScopeEditorProps) {
  const divisions = useSession((state) => state.cityList);
  const [limited, setLimited] = useState(() => isRestricted(value));
  const change = (patch: Partial<Scope>) => onChange?.({ ...value, ...patch });
  const list = (ids: readonly string[] | null) => (ids ? [...ids] : null);
  const Insurers = isFilled(insurersPlace) ? InsurersPicker : IdsInput;
  const Channels = isFilled(channelsPlace) ? ChannelsPicker : IdsInput;
  return (
    <div className="id-scope">
      <Radio.Group
        disabled={disabled}
        value={limited || isRestricted(value) ? 'limited' : 'all'}
        options={[
          { value: 'all', label: '全部' },
          { value: 'limited', label: '受限' },
        ]}
        onChange={(event) => {
          setLimited(event.target.value === 'limited');
          if (event.target.value === 'all') onChange?.(EVERYTHING);
        }}
      />
      {(limited || isRestricted(value)) && (
        <div className="id-scope-grid">
          <span>区域</span>
          <RegionsPicker value={value.region} disabled={disabled} onChange={(region) => change({ region: list(region) })} />
          <span>保司</span>
          <Insurers
            value={value.insurer}
            disabled={disabled}
            placeholder={isFilled(insurersPlace) ? '请选择保司，不选则不限制' : '输入保司编号后回车，不填则不限制'}
            onChange={(insurer) => change({ insurer: list(insurer) })}
          />
          <span>渠道</span>
          <Channels
            value={value.channel}
            disabled={disabled}
            placeholder={isFilled(channelsPlace) ? '请选择渠道，不选则不限制' : '输入渠道编号后回车，不填则不限制'}
            onChange={(channel) => change({ channel: list(channel) })}
          />
          {!forMachine && (
            <>
              <span>仅本人数据</span>
              <span>
                <Switch size="small" disabled={disabled} checked={value.own} aria-label="仅本人数据" onChange={(own) => change({ own })} />
              </span>
            </>
          )}
        </div>
      )}
      <p className="id-scope-sentence">
        {limited && !isRestricted(value) ? '尚未选择限制条件，保存后等同于全部数据' : scopeSentence(value, divisions)}
      </p>
    </div>
  );
}
