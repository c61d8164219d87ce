import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '#kernel/web/theme/base.css';
import { cssVariables, light } from '#kernel/web/theme/tokens.ts';
import './wx.css';
import { Consult } from './Consult.tsx';

// The entry of `wx.html`: patients and doctors who came by a link. No staff session, no shell.
for (const [name, value] of Object.entries(cssVariables(light))) document.documentElement.style.setProperty(name, value);
const root = document.getElementById('root');
if (!root) throw new Error('wx.html has no root');
createRoot(root).render(
  <StrictMode>
    <Consult />
  </StrictMode>,
);
