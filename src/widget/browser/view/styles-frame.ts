/*
 * Every colour is mixed from three, so that a host's theme sets the whole: accent, background and text. Custom
 * properties with `--a-` come from the theme; `--a-on-accent` is what can be read on the accent.
 */
const tokens = `
:host{all:initial!important;display:block!important;position:fixed!important;z-index:var(--z)!important;--accent:var(--a-accent,#3355d1);--on:var(--a-on-accent,#fff);--bg:var(--a-background,#fff);--fg:var(--a-text,#1b1e25);--line:color-mix(in srgb,var(--fg) 14%,var(--bg));--edge:color-mix(in srgb,var(--fg) 54%,var(--bg));--muted:color-mix(in srgb,var(--fg) 76%,var(--bg));--soft:color-mix(in srgb,var(--fg) 5%,var(--bg));--tint:color-mix(in srgb,var(--accent) 13%,var(--bg));--bad:#b3261e;--shade:rgb(16 20 32/.16)}
:host([data-theme=dark]){--accent:var(--a-accent,#9db1ff);--on:var(--a-on-accent,#10131c);--bg:var(--a-background,#16181e);--fg:var(--a-text,#e9ebf1);--bad:#ffb4ab;--shade:rgb(0 0 0/.5);color-scheme:dark}
*{box-sizing:border-box;margin:0;padding:0}
[hidden]{display:none!important}
.root{font:15px/1.5 var(--a-font,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif);color:var(--fg);-webkit-font-smoothing:antialiased}
button,input,textarea{font:inherit;color:inherit}
button{border:0;background:none;border-radius:8px;text-align:inherit}
button,summary{cursor:pointer;touch-action:manipulation}
:disabled{cursor:default;opacity:.45}
a{color:var(--accent);text-underline-offset:2px}
ul,summary{list-style:none}
::-webkit-details-marker{display:none}
:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
svg{width:20px;height:20px;display:block;fill:none;stroke:currentColor;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round;flex:none}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.launcher,.send,.latest,.icon{display:grid;place-items:center;flex:none;width:36px;height:36px;border-radius:8px}
.launcher,.send,.main,.cite:hover{background:var(--accent);color:var(--on)}
.panel,.popup,.latest,.chip,.plain,.sources,.card{background:var(--bg);border:1px solid var(--line);border-radius:12px}
.panel,.body,.question{display:flex;flex-direction:column}
.head,.popup>*,.banner,.fail,.dots,summary,.sources div,.code>div,.box{display:flex;align-items:center;gap:10px}
.banner,.popup>*,.code>div{justify-content:space-between}
.muted,.note,.line,.dots,.excerpt,small,.left-over,.sources h3,.code>div{color:var(--muted);font-size:13px}
.quiet{color:var(--muted)}
.chip,.main,.plain,.popup>*,.banner,.sources,label,table{font-size:14px}
.main,.plain,label,h2,h3,.banner,.count,.cite{font-weight:600}
.plain:hover,.quiet:hover,.row:hover,.row[aria-current],.popup>:is(a,button):is(:hover,:focus-visible),.line,.card,code,.code,th{background:var(--soft)}
.main,.plain{padding:7px 16px;border-radius:8px;border-color:var(--edge);white-space:nowrap}
`;

const frame = `
.launcher,.panel{position:fixed;right:max(20px,env(safe-area-inset-right));bottom:max(20px,env(safe-area-inset-bottom));box-shadow:0 12px 40px var(--shade),0 2px 8px var(--shade)}
.left>*,.left .launcher{right:auto;left:max(20px,env(safe-area-inset-left))}
.launcher{width:56px;height:56px;border-radius:50%;transition:transform .16s}
.launcher:hover{transform:scale(1.05)}
.launcher:focus-visible{outline:3px solid var(--on);box-shadow:0 0 0 3px var(--accent)}
.launcher svg{width:26px;height:26px}
.badge,.dot:after{position:absolute;top:-3px;right:-3px;min-width:22px;padding:0 5px;border-radius:11px;background:#c5221f;color:#fff;border:2px solid var(--bg);font:600 12px/18px system-ui,sans-serif;text-align:center}
.dot:after{content:"";top:5px;right:3px;min-width:0;padding:4px}
.panel{bottom:calc(88px + env(safe-area-inset-bottom));width:380px;height:min(640px,100vh - 108px);border-radius:16px;overflow:hidden;contain:layout paint;overflow-wrap:anywhere;animation:appear .18s}
@keyframes appear{from{opacity:0;transform:translateY(10px)}}
.head{gap:2px;padding:10px 10px 10px 18px;border-bottom:1px solid var(--line);position:relative}
.head>:first-child{margin-left:-10px}
h2{font-size:16px;flex:1;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.menu{position:relative}
.menu path{stroke-width:3}
.popup{position:absolute;top:52px;right:10px;z-index:2;min-width:220px;padding:6px;box-shadow:0 8px 28px var(--shade)}
.popup>*{width:100%;padding:8px 12px;text-decoration:none;color:inherit;border-radius:8px}
.count,.cite{background:var(--tint);border-radius:6px;padding:0 7px;font-size:13px}
.line,.banner{padding:8px 18px}
.banner{width:100%;border-radius:0;background:var(--tint)}
.body{flex:1;min-height:0}
.log,.page{flex:1;position:relative;overflow-y:auto;overscroll-behavior:contain;padding:18px}
.page>*+*,.card>*+*,.card form>*+*{margin-top:12px}
.row{display:block;width:100%;padding:9px 12px;margin:0!important}
.row .muted,label,input,.left-over{display:block}
input,.box,.latest{border:1px solid var(--edge)}
input{width:100%;margin-top:6px;padding:8px 12px;border-radius:8px;background:var(--bg);font-size:16px}
.bad{color:var(--bad)!important;font-size:13px}
`;

const media = `
.phone .panel{inset:0;width:auto;height:100vh;height:100dvh;border:0;border-radius:0;padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}
.phone.opened .launcher{display:none}
@media(pointer:coarse){button:not(.cite),summary,.popup>a,input,.source a{min-height:44px}.icon,.send{min-width:44px}}
@media(prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}.launcher:hover{transform:none}}
@media(forced-colors:active){.launcher,.main,.send,.cite,.count,.badge,.bubble{border:1px solid}[aria-pressed=true],i,.dot:after{background:Highlight;color:HighlightText;forced-color-adjust:none}}
@media print{:host{display:none!important}}
`;

export const frameStyles = tokens + frame + media;
