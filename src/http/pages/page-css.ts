import { softInk } from "./palette.ts";

/**
 * The style of every public page, the colours aside: those come before it as custom properties. Written to be
 * read here; the page gets it without its indentation.
 */
export const pageCss = `
*,*::before,*::after{box-sizing:border-box}
:root{
  color-scheme:light dark;
  --page:var(--page-light);--glow:var(--glow-light);
  --ink:#16161a;--soft:${softInk.light};--edge:#0000001f;--panel:#ffffffb8;
  --act:#0c0c0f;--act-ink:#fff;--focus:#0b57d0;
}
@media screen and (prefers-color-scheme:dark){
  :root{
    --page:var(--page-dark);--glow:var(--glow-dark);
    --ink:#f4f4f7;--soft:${softInk.dark};--edge:#ffffff2e;--panel:#ffffff12;
    --act:#fff;--act-ink:#0c0c0f;--focus:#8ab4f8;
  }
}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{
  margin:0;min-height:100vh;min-height:100dvh;display:grid;grid-template:1fr auto/minmax(0,1fr);
  font:400 16px/1.45 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
  color:var(--ink);
  background:radial-gradient(130% 620px at 50% -80px,var(--glow),transparent 75%) no-repeat,var(--page);
  -webkit-font-smoothing:antialiased;
}
p,h1,h2,dl,dd,ul{margin:0;padding:0}
ul{list-style:none}
.icon{width:24px;height:24px;flex:none}
a,summary{-webkit-tap-highlight-color:transparent}
a:focus-visible,summary:focus-visible{outline:3px solid var(--focus);outline-offset:3px}

main{
  align-self:start;display:grid;grid-template-columns:minmax(0,358px);place-content:start center;gap:24px;
  padding:max(28px,env(safe-area-inset-top)) 16px 28px;
}
.intro p{font-size:14px;color:var(--soft);overflow-wrap:anywhere}
h1{
  font-size:24px;line-height:1.2;font-weight:700;letter-spacing:-.015em;
  overflow-wrap:anywhere;text-wrap:balance;
}
.intro .said{margin-top:10px;color:var(--ink)}
.intro p:first-child,h1{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
.notice{
  padding:14px 16px;border-radius:16px;background:var(--panel);border:1px solid var(--edge);
  font-size:15px;overflow-wrap:anywhere;
}
.notice h2,.when{font-size:13px;font-weight:400;color:var(--soft)}
.head{margin-top:2px;font-weight:600}
.said{white-space:pre-line}
.when{margin-top:4px}

.pass{
  filter:drop-shadow(0 0 .5px #0006) drop-shadow(0 2px 3px #0000001a) drop-shadow(0 18px 28px #0000002e);
}
.sheet{
  position:relative;display:flex;flex-direction:column;min-height:448px;overflow:hidden;
  border-radius:18px;background:var(--bg);color:var(--fg);
}
.pass img{display:block;max-width:100%}
.top{
  position:relative;display:flex;align-items:center;gap:10px;padding:14px 16px;min-height:64px;
}
.logo{flex:0 1 auto;min-width:0;max-width:160px;height:36px;object-fit:contain;object-position:left}
.logo:dir(rtl){object-position:right}
.logo-text{
  flex:1 1 0;min-width:0;font-size:17px;line-height:1.2;font-weight:600;
  white-space:nowrap;overflow:hidden;text-overflow:ellipsis;
  text-align:-webkit-match-parent;text-align:match-parent;
}
.heads{
  flex:0 1 auto;min-width:0;max-width:62%;margin-inline-start:auto;
  display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,auto);gap:16px;text-align:end;
}
dt{
  font-size:11px;line-height:1.3;font-weight:600;letter-spacing:.045em;text-transform:uppercase;
  color:var(--label);white-space:nowrap;overflow:hidden;text-overflow:ellipsis;
}
dt:dir(rtl),h1:dir(rtl){letter-spacing:0}
.pass dd{
  display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;
  font-size:17px;line-height:22px;overflow-wrap:anywhere;font-variant-numeric:tabular-nums;
}
.heads dd{-webkit-line-clamp:1;word-break:break-all}
.pass dd.long{font-size:16px}
.pass dd.vast{font-size:14px;line-height:18px}

.stage{position:relative;display:flex;gap:16px;padding:6px 16px 4px}
.stage:empty{display:none}
.primary{flex:1 1 0;min-width:0;display:grid;gap:10px}
.pass .primary dd{line-height:1.12;letter-spacing:-.01em}
.pass .primary dd.tiny,.pass .primary dd.short,.pass .primary dd.medium{font-size:32px}
.pass .primary dd.long{font-size:26px}
.pass .primary dd.vast{font-size:19px;-webkit-line-clamp:3}
.thumbnail{flex:none;width:90px;height:90px;object-fit:cover;border-radius:8px}

.strip{position:relative;aspect-ratio:375/144;display:flex;align-items:center;overflow:hidden;flex:none}
.event .strip{aspect-ratio:375/110}
.art{position:absolute;inset:0;width:100%;height:100%;object-fit:cover}
.strip::after{content:"";position:absolute;inset:0;background:linear-gradient(90deg,var(--bg-veil),var(--bg-none) 72%)}
.strip:dir(rtl)::after{background:linear-gradient(270deg,var(--bg-veil),var(--bg-none) 72%)}
.strip:has(.long,.vast)::after{background:var(--bg-veil)}
.strip .primary{position:relative;z-index:1;padding:0 16px;max-width:100%}
.strip .primary>div{display:flex;flex-direction:column-reverse;gap:2px}
.strip dt{color:var(--fg)}
.pass .strip dd.tiny,.pass .strip dd.short{font-size:52px;font-weight:300;letter-spacing:-.03em;line-height:1}
.pass .strip dd.medium{font-size:38px;font-weight:300}
.backdrop{position:absolute;inset:0}
.backdrop .art{inset:-24px;width:calc(100% + 48px);height:calc(100% + 48px);filter:blur(7px)}
.backdrop::after{content:"";position:absolute;inset:0;background:linear-gradient(var(--bg-thin),var(--bg-veil) 45%)}

.rows{position:relative;display:grid;gap:14px;padding:12px 16px 18px}
.rows:empty{display:none}
.row{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,auto);justify-content:space-between;gap:16px}
.row>div:last-child:not(:first-child){text-align:end}

.code{
  position:relative;align-self:center;margin:auto 16px 18px;padding:12px;max-width:calc(100% - 32px);
  border-radius:12px;background:#fff;color:#000;box-shadow:0 0 0 1px #00000012;forced-color-adjust:none;
}
.code svg{display:block;margin:auto;max-width:100%}
.code .qr{width:200px;height:200px;max-width:none;margin:-12px}
.code .qr+.alt{margin-top:0}
.code .aztec{width:160px;height:160px;margin:4px auto}
.wide{align-self:stretch}
.code .pdf417{width:100%;height:auto;padding:2px}
.wide svg:not(.pdf417){width:100%;height:84px;padding:2px 6px}
.unreadable{padding:20px 24px 4px;text-align:center;font-size:13px;color:#55555f}
.alt{
  margin-top:8px;text-align:center;font-size:13px;line-height:1.3;letter-spacing:.02em;
  overflow-wrap:anywhere;font-variant-numeric:tabular-nums;
  display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:4;overflow:hidden;
}
.qr+.alt,.aztec+.alt{max-width:176px;margin-inline:auto}

.coupon .sheet{
  border-radius:6px;
  -webkit-mask:radial-gradient(circle 4.5px at 50% 0,#0000 96%,#000) 0 0/15px 51% round no-repeat,
    radial-gradient(circle 4.5px at 50% 100%,#0000 96%,#000) 0 100%/15px 51% round no-repeat;
  mask:radial-gradient(circle 4.5px at 50% 0,#0000 96%,#000) 0 0/15px 51% round no-repeat,
    radial-gradient(circle 4.5px at 50% 100%,#0000 96%,#000) 0 100%/15px 51% round no-repeat;
  padding-block:6px;
}
.event .sheet{
  padding-top:6px;
  -webkit-mask:radial-gradient(circle 30px at 50% -18px,#0000 97%,#000);
  mask:radial-gradient(circle 30px at 50% -18px,#0000 97%,#000);
}
.boarding .sheet{background:none;border-radius:0;overflow:visible}
.stub{position:relative;display:flex;flex-direction:column;background:var(--bg);border-radius:18px;overflow:hidden}
.stub:first-child{
  border-radius:18px 18px 0 0;padding-bottom:16px;
  -webkit-mask:radial-gradient(circle 9px at 0 100%,#0000 96%,#000) 0 0/51% 100% no-repeat,
    radial-gradient(circle 9px at 100% 100%,#0000 96%,#000) 100% 0/51% 100% no-repeat;
  mask:radial-gradient(circle 9px at 0 100%,#0000 96%,#000) 0 0/51% 100% no-repeat,
    radial-gradient(circle 9px at 100% 100%,#0000 96%,#000) 100% 0/51% 100% no-repeat;
}
.stub:last-child{
  flex:1;border-radius:0 0 18px 18px;padding-top:8px;
  -webkit-mask:radial-gradient(circle 9px at 0 0,#0000 96%,#000) 0 0/51% 100% no-repeat,
    radial-gradient(circle 9px at 100% 0,#0000 96%,#000) 100% 0/51% 100% no-repeat;
  mask:radial-gradient(circle 9px at 0 0,#0000 96%,#000) 0 0/51% 100% no-repeat,
    radial-gradient(circle 9px at 100% 0,#0000 96%,#000) 100% 0/51% 100% no-repeat;
}
.stub:last-child::before{
  content:"";position:absolute;top:0;left:20px;right:20px;border-top:1.5px dashed;color:var(--label);opacity:.55;
}
.stub>.primary{padding:0 16px}
.way{
  display:grid;grid-template-columns:minmax(0,1fr) auto minmax(0,1fr);align-items:end;gap:12px;padding:6px 16px 0;
}
.vehicle{width:34px;height:34px;margin-bottom:9px;color:var(--label)}
.way .to{text-align:end}
.vehicle:dir(rtl),.add>.icon:last-child:dir(rtl){transform:scaleX(-1)}
.pass .way dd{line-height:1.1}
.pass .way dd.tiny{font-size:46px;font-weight:300;letter-spacing:-.02em}
.pass .way dd.short{font-size:28px;font-weight:300}
.pass .way dd.medium{font-size:21px}
.footer{align-self:center;max-height:15px;margin:auto auto 8px}
.footer+.code{margin-top:0}

.actions,.more{position:relative}
.actions{display:grid;gap:20px;align-content:start}
.wallets{display:grid;gap:12px}
.add{
  display:flex;align-items:center;gap:14px;min-height:58px;padding:10px 18px;border-radius:18px;
  font-size:17px;font-weight:600;line-height:1.25;text-decoration:none;letter-spacing:-.005em;
  color:var(--ink);background:var(--panel);border:1px solid var(--edge);
}
.add span{flex:1}
.add small{display:block;font-size:13px;font-weight:400;letter-spacing:0;color:var(--soft)}
.add>.icon:last-child{width:20px;height:20px;opacity:.65}
a.add{transition:transform .15s,box-shadow .15s}
a.add:hover{box-shadow:0 6px 18px #00000026;transform:translateY(-1px)}
a.add:active{transform:scale(.985)}
a.add.first{color:var(--act-ink);background:var(--act);border-color:var(--act)}
.idle{border-style:dashed;font-weight:500}
.ring{
  width:20px;height:20px;flex:none;border-radius:50%;border:2.5px solid var(--edge);border-top-color:var(--ink);
  animation:turn 1s linear infinite;
}
@keyframes turn{to{transform:rotate(1turn)}}
.hand{
  display:flex;align-items:center;gap:18px;padding:16px;border-radius:22px;
  background:var(--panel);border:1px solid var(--edge);
}
.hand svg{flex:none;width:132px;height:132px;border-radius:12px;background:#fff;forced-color-adjust:none}
.hand h2{font-size:17px;line-height:1.3;letter-spacing:-.005em}
.hand p{margin-top:4px;font-size:14px;color:var(--soft)}

.more{border-radius:18px;background:var(--panel);border:1px solid var(--edge)}
summary{
  display:flex;align-items:center;justify-content:space-between;padding:15px 18px;border-radius:18px;
  font-weight:600;cursor:pointer;list-style:none;
}
summary::-webkit-details-marker{display:none}
summary .icon{width:20px;height:20px;opacity:.65;transform:rotate(90deg);transition:transform .15s}
[open] summary .icon{transform:rotate(-90deg)}
.back{padding:0 18px 6px}
.back div{padding:12px 0;border-top:1px solid var(--edge)}
.back dt{color:var(--soft);white-space:normal;overflow-wrap:anywhere;text-transform:none;letter-spacing:0;font-size:13px}
.back dd{margin-top:2px;white-space:pre-line;overflow-wrap:anywhere}

footer{padding:0 16px 32px;text-align:center;font-size:13px;color:var(--soft);overflow-wrap:anywhere}
.plain{align-self:center;justify-items:center;text-align:center;gap:14px}
.plain .icon{width:56px;height:56px;color:var(--soft);stroke-width:1.25}
.plain p{color:var(--soft);text-wrap:balance}

@media (min-width:900px){
  main{
    grid-template:"front intro" auto "front actions" 1fr "more actions" auto/375px minmax(0,392px);
    gap:28px 72px;padding-top:clamp(40px,11vh,128px);
  }
  main.plain{display:grid;grid-template:none;grid-template-columns:420px;padding-top:28px}
  .front{grid-area:front}.intro{grid-area:intro}.actions{grid-area:actions}.more{grid-area:more}
  .intro p:first-child{font-size:16px}
  h1{font-size:36px;margin-top:4px}
  .sheet{min-height:476px}
}
@media (prefers-reduced-motion:reduce){
  *,*::before,*::after{animation:none!important;transition:none!important}
}
@media (forced-colors:active){
  .vehicle{color:CanvasText}
  .sheet{border:1px solid}
  .boarding .sheet{border:0}
  .stub{border:1px solid}
}
@media print{
  :root{color-scheme:only light}
  body{background:#fff;color:#000}
  main{display:block;padding:0}
  .pass{filter:none;width:358px;margin:16px 0;break-inside:avoid;print-color-adjust:exact;-webkit-print-color-adjust:exact}
  .hand,.wallets,summary{display:none}
  .notice{margin:16px 0;background:none;break-inside:avoid}
  .more{background:none;border:0}
  .more::details-content{content-visibility:visible;display:block}
}
`.replace(/\n\s*/g, "");
