import { useId, useState } from 'react';
import type { HTMLInputAutoCompleteAttribute, KeyboardEvent, ReactNode, Ref } from 'react';

interface EntryFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  fault?: string | undefined;
  /** With a switch to read what was typed, and a hint while caps lock is on. */
  secret?: boolean;
  name: string;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  inputMode?: 'numeric' | 'tel';
  maxLength?: number;
  autoFocus?: boolean;
  ref?: Ref<HTMLInputElement>;
  /** Right of the input: captcha picture, 获取验证码. */
  beside?: ReactNode;
  below?: ReactNode;
}

/** One labelled input of the pages before the shell, with its fault below. */
export function EntryField({
  label,
  value,
  onChange,
  fault,
  secret = false,
  name,
  autoComplete = 'off',
  inputMode,
  maxLength = 64,
  autoFocus = false,
  ref,
  beside,
  below,
}: EntryFieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const noteCaps = (event: KeyboardEvent<HTMLInputElement>) => secret && setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div className="id-field">
      <label htmlFor={id}>{label}</label>
      <div className="id-input">
        <div className="id-box">
          <input
            id={id}
            ref={ref}
            name={name}
            type={secret && !shown ? 'password' : 'text'}
            value={value}
            maxLength={maxLength}
            autoComplete={autoComplete}
            autoCapitalize="off"
            spellCheck={false}
            inputMode={inputMode}
            autoFocus={autoFocus}
            aria-invalid={fault !== undefined}
            aria-describedby={fault ? `${id}-fault` : undefined}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={noteCaps}
            onKeyUp={noteCaps}
            onBlur={() => setCapsLock(false)}
          />
          {secret && (
            <button
              type="button"
              className="id-eye"
              tabIndex={-1}
              aria-label={shown ? `隐藏${label}` : `显示${label}`}
              onClick={() => setShown(!shown)}
            >
              {shown ? '隐藏' : '显示'}
            </button>
          )}
        </div>
        {beside}
      </div>
      {capsLock && <p className="id-hint">大写锁定已开启</p>}
      {fault && (
        <p className="id-fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
      {below}
    </div>
  );
}
