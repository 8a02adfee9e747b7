/*
 * Every colour is mixed from four, so that a host's theme sets the whole: accent, background, text and line. Custom
 * properties with `--a-` come from the theme; `--a-on-accent` is what can be read on the accent.
 */
const tokens = `
:host{all:initial!important;display:block!important;position:fixed!important;inset:auto 0 0 auto!important;width:0!important;height:0!important;z-index:var(--z)!important;
--accent:var(--a-accent,#3355d1);--on:var(--a-on-accent,#fff);--bg:var(--a-background,#fff);--fg:var(--a-text,#1b1e25);--line:var(--a-border,color-mix(in srgb,var(--fg) 14%,var(--bg)));
--edge:color-mix(in srgb,var(--fg) 54%,var(--bg));--muted:color-mix(in srgb,var(--fg) 74%,var(--bg));--soft:color-mix(in srgb,var(--fg) 5%,var(--bg));--tint:color-mix(in srgb,var(--accent) 12%,var(--bg));--bad:#b3261e;--shade:rgb(16 20 32/.16)}
:host([data-theme=dark]){--accent:var(--a-accent,#9db1ff);--on:var(--a-on-accent,#10131c);--bg:var(--a-background,#16181e);--fg:var(--a-text,#e9ebf1);--tint:color-mix(in srgb,var(--accent) 20%,var(--bg));--bad:#ffb4ab;--shade:rgb(0 0 0/.5);color-scheme:dark}
*{box-sizing:border-box}
[hidden]{display:none!important}
.root{font:15px/1.5 var(--a-font,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif);color:var(--fg);-webkit-font-smoothing:antialiased;-webkit-text-size-adjust:100%;text-align:start}
button,input,textarea{font:inherit;color:inherit;margin:0;letter-spacing:inherit}
button{border:0;background:none;padding:0;cursor:pointer;border-radius:8px;-webkit-tap-highlight-color:transparent;touch-action:manipulation}
button:disabled{cursor:default;opacity:.45}
a{color:var(--accent);text-underline-offset:2px}
h2,h3,p,ul,ol,blockquote,pre,figure{margin:0;padding:0}
ul,ol{list-style:none}
:focus{outline:0}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
svg{width:20px;height:20px;display:block;fill:none;stroke:currentColor;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round;flex:none}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.muted,.note{color:var(--muted);font-size:13px}
.quiet{color:var(--muted)}
.quiet:hover{color:var(--fg);background:var(--soft)}
.icon{width:36px;height:36px;display:grid;place-items:center;flex:none}
.small{width:32px;height:32px}
.small svg{width:17px;height:17px}
.plain{border:1px solid var(--line);padding:6px 12px;font-size:14px;background:var(--bg);border-color:var(--edge)}
.plain:hover{background:var(--soft)}
.main{background:var(--accent);color:var(--on);padding:8px 16px;font-weight:600;font-size:14px}
.main:hover,.send:hover:enabled{background:color-mix(in srgb,var(--accent) 90%,var(--fg))}
`;

const frame = `
.launcher{position:fixed;right:max(20px,env(safe-area-inset-right));bottom:max(20px,env(safe-area-inset-bottom));width:56px;height:56px;border-radius:50%;display:grid;place-items:center;background:var(--accent);color:var(--on);box-shadow:0 6px 20px var(--shade),0 1px 4px var(--shade);transition:transform .16s}
.launcher:hover{transform:scale(1.05)}
.launcher:focus-visible{outline:3px solid var(--accent);outline-offset:3px;box-shadow:0 0 0 3px var(--bg)}
.launcher svg{width:26px;height:26px}
.badge{position:absolute;top:-3px;right:-3px;min-width:22px;height:22px;padding:0 6px;border-radius:11px;background:#c5221f;color:#fff;border:2px solid var(--bg);font:600 12px/18px system-ui,sans-serif;text-align:center}
.panel{position:fixed;right:max(20px,env(safe-area-inset-right));bottom:calc(88px + env(safe-area-inset-bottom));width:380px;height:min(640px,100vh - 108px);height:min(640px,100dvh - 108px);display:flex;flex-direction:column;background:var(--bg);border:1px solid var(--line);border-radius:16px;box-shadow:0 16px 48px var(--shade),0 2px 8px var(--shade);overflow:hidden;contain:layout paint;overflow-wrap:anywhere}
.left .launcher,.left .panel{right:auto;left:max(20px,env(safe-area-inset-left))}
.appear{animation:appear .18s cubic-bezier(.2,.7,.3,1)}
@keyframes appear{from{opacity:0;transform:translateY(10px) scale(.985)}}
.head{display:flex;align-items:center;gap:2px;padding:10px 10px 10px 18px;border-bottom:1px solid var(--line);position:relative;flex:none}
.head .back{margin-left:-10px}
h2{font-size:16px;font-weight:650;line-height:36px;flex:1;min-width:0;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.head .menu{position:relative}
.dot::after{content:"";position:absolute;top:6px;right:6px;width:9px;height:9px;border-radius:50%;background:#c5221f;border:2px solid var(--bg);box-sizing:content-box}
.popup{position:absolute;top:52px;right:10px;z-index:2;min-width:220px;max-width:calc(100% - 20px);padding:6px;background:var(--bg);border:1px solid var(--line);border-radius:12px;box-shadow:0 8px 28px var(--shade);animation:appear .12s}
.popup>*{display:flex;align-items:center;justify-content:space-between;gap:12px;width:100%;padding:8px 12px;font-size:14px;text-align:start;border-radius:8px;text-decoration:none;color:var(--fg)}
.popup>p{color:var(--muted);font-size:13px}
.popup>:is(a,button):is(:hover,:focus-visible){background:var(--soft)}
.popup>:focus-visible{outline-offset:-2px}
.count{background:var(--tint);border-radius:10px;padding:0 8px;font-size:12px;font-weight:600;line-height:20px}
.line{padding:6px 18px;font-size:13px;background:var(--soft);border-bottom:1px solid var(--line);color:var(--muted);flex:none}
.body{flex:1;min-height:0;display:flex;flex-direction:column;position:relative}
.page{flex:1;overflow-y:auto;overscroll-behavior:contain;padding:18px}
.page>*+*{margin-top:14px}
.row{display:block;width:100%;text-align:start;padding:10px 12px;border-radius:10px}
.row:hover,.row[aria-current=true]{background:var(--soft)}
.row .muted{display:block}
.field{display:block;font-size:14px;font-weight:600}
input{display:block;width:100%;margin-top:6px;padding:9px 12px;border:1px solid var(--edge);border-radius:10px;background:var(--bg);font-weight:400;font-size:16px}
.bad{color:var(--bad);font-size:13px}
.full{position:fixed}
`;

const phone = `
.phone .panel{inset:0;width:auto;height:100vh;height:100dvh;border:0;border-radius:0;padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}
.phone.opened .launcher{display:none}
@media(pointer:coarse){button:not(.cite),.popup>a,.source a{min-height:44px}.icon{min-width:44px}}
@media(prefers-reduced-motion:reduce){*,::before,::after{animation:none!important;transition:none!important}.launcher:hover{transform:none}}
@media(forced-colors:active){.launcher,.main,.send,.cite,.badge,.bubble,.number{border:1px solid}.stretch{text-decoration-color:Mark}.small[aria-pressed=true]{border:2px solid Highlight;color:Highlight}.dot::after,.dots i{background:Highlight;forced-color-adjust:none}}
`;

export const frameStyles = tokens + frame + phone;
