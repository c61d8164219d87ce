import { ConfigProvider } from 'antd';
import zhCN from 'antd/es/locale/zh_CN.js';
import { useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { create } from 'zustand';
import { ServiceAway } from '../feedback/ServiceAway.tsx';
import { Toasts } from '../feedback/Toasts.tsx';
import { SearchIcon } from '../kit/SearchIcon.tsx';
import { antTheme } from './antTheme.ts';
import { cssVariables, dark, light } from './tokens.ts';

// Typed as CommonJS, bundled as a module: the texts stand one level apart.
const locale = 'default' in zhCN ? zhCN.default : zhCN;

/** `light` until the user's setting is known. */
export const useTheme = create<{ name: 'light' | 'dark' }>(() => ({ name: 'light' }));

const lessMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
const onLessMotion = (changed: () => void) => {
  lessMotion.addEventListener('change', changed);
  return () => lessMotion.removeEventListener('change', changed);
};

/** The button of a search field shows nothing but its icon. */
const searching = { searchIcon: <SearchIcon /> };

/** Colours, sizes, Chinese texts and toasts for everything below. */
export function ThemeRoot({ children }: { children: ReactNode }) {
  const isDark = useTheme((state) => state.name === 'dark');
  useLayoutEffect(() => {
    const root = document.documentElement;
    for (const [name, value] of Object.entries(cssVariables(isDark ? dark : light))) root.style.setProperty(name, value);
    root.dataset['theme'] = isDark ? 'dark' : 'light';
  }, [isDark]);
  const still = useSyncExternalStore(onLessMotion, () => lessMotion.matches);
  const theme = useMemo(() => antTheme(isDark, still), [isDark, still]);
  return (
    <ConfigProvider locale={locale} theme={theme} button={{ autoInsertSpace: false }} inputSearch={searching} componentSize="middle">
      <Toasts />
      <ServiceAway />
      {children}
    </ConfigProvider>
  );
}
