import { expect, test } from "vitest";
import { fromSeveralSites, placeLink, placeText } from "../src/compute/places";

const PLACE = { url: "https://shop.example/all#top", said: { name: "Tide  kettle - red", price: "€ 5" } };

test("a place is a link that marks the words that were read there", () => {
  expect(placeLink(PLACE)).toBe("https://shop.example/all#:~:text=Tide%20kettle%20%2D%20red");
  expect(placeLink({ url: "https://shop.example/" })).toBe("https://shop.example/");
  expect(placeText(PLACE)).toBe("https://shop.example/all#top\nname: “Tide  kettle - red”\nprice: “€ 5”");
});

test("there is no link to a file that was given, nor to what is no page", () => {
  expect(placeLink({ url: "http://given.pilotfish.invalid/a.html", said: { name: "x" } })).toBe("");
  expect(placeLink({ url: "javascript:alert(1)" })).toBe("");
  expect(placeLink(undefined)).toBe("");
});

test("rows of several sites are told apart", () => {
  expect(fromSeveralSites([PLACE, { url: "https://shop.example/2" }])).toBe(false);
  expect(fromSeveralSites([PLACE, { url: "https://other.example/" }])).toBe(true);
  expect(fromSeveralSites([])).toBe(false);
});
